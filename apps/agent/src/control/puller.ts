/** Pulls what changed when told to, and every minute in case the news was lost; everything in full now and then. */
import { type ConfigDelta, configDelta } from '@tidegate/contract/node/config'
import { type AckReport, AGENT_PATHS } from '@tidegate/contract/node/protocol'
import type { Applier } from '../config/applier.ts'
import type { Store } from '../config/store.ts'
import { errorText, type Log } from '../log.ts'
import { createBackoff } from './backoff.ts'
import type { ControlClient } from './client.ts'
import { type Link, retryDelay } from './link.ts'
import { createWaker } from './pause.ts'

const POLL_MS = 60_000
const RESYNC_MS = 6 * 3_600_000

export type PullerOptions = Readonly<{
  client: ControlClient
  link: Link
  store: Store
  applier: Applier
  onReport: (report: AckReport) => void
  /** Called after each successful pull. */
  onPulled: () => void
  log: Log
}>

export type Puller = Readonly<{
  /** There is news: the time to live is measured from now. */
  tell: () => void
  /** Pulls soon, without news, e.g. because the engine is back. */
  wake: () => void
  run: (signal: AbortSignal) => Promise<void>
}>

export function createPuller(options: PullerOptions): Puller {
  const { client, store, log } = options
  const waker = createWaker()
  let toldAt: number | undefined
  // Spread over the nodes, so that they do not ask for everything at once.
  let resyncAt = Date.now() + RESYNC_MS * (0.5 + Math.random() / 2)

  const ask = (since: number): Promise<ConfigDelta> =>
    client.call({ method: 'GET', path: AGENT_PATHS.config, query: { since } }, configDelta)

  async function pull(): Promise<ConfigDelta> {
    const full = Date.now() >= resyncAt
    const delta = await ask(full ? 0 : store.revision())
    if (full) resyncAt = Date.now() + RESYNC_MS
    const moved = store.scope() !== '' && delta.scope !== store.scope()
    // Numbers of another group, or of a control plane that went back to a backup, cannot be compared: take everything.
    if (delta.base !== 0 && (moved || delta.revision < store.revision())) return ask(0)
    return delta
  }

  async function once(): Promise<void> {
    const at = toldAt ?? performance.now()
    toldAt = undefined
    const delta = await pull()
    const report = await options.applier.apply(delta, at)
    options.onPulled()
    if (report !== undefined) options.onReport(report)
  }

  return {
    tell: () => {
      toldAt ??= performance.now()
      waker.wake()
    },
    wake: waker.wake,
    run: async (signal) => {
      const backoff = createBackoff(500, 30_000)
      while (!signal.aborted) {
        let wait = POLL_MS
        try {
          await once()
          backoff.reset()
        } catch (error) {
          if (signal.aborted) return
          wait = retryDelay(options.link, backoff.next())
          log.warn('pull_failed', { error: errorText(error), link: options.link.state })
        }
        await waker.wait(wait, signal)
      }
    },
  }
}
