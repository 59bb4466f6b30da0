/** The agent as a monitor: probes the nodes that the control plane names, round after round, and brings what it saw. */
import { MAX_PROBE_RESULTS } from '@tidegate/contract/monitor'
import { AGENT_PATHS, type ProbeReply, probeReply } from '@tidegate/contract/node/protocol'
import { createBackoff } from '../control/backoff.ts'
import { type ControlClient, ControlError } from '../control/client.ts'
import { type Link, retryDelay } from '../control/link.ts'
import { pause } from '../control/pause.ts'
import { errorText, type Log } from '../log.ts'
import { probePort } from './connect.ts'
import { type Own, type ProbeResults, probeRound } from './round.ts'

const TIMEOUT_MS = 3_000
/** A control plane of an earlier release knows nothing of probes; it may be upgraded. */
const UNKNOWN_PAUSE_MS = 600_000

export type ProberOptions = Readonly<{ client: ControlClient; link: Link; log: Log; own: Own; signal: AbortSignal }>

/**
 * Runs until `signal` aborts; never rejects. While the control plane is away, rounds go on and the newest results are kept for it; a node that
 * was revoked probes nothing.
 */
export async function runProber({ client, link, log, own, signal }: ProberOptions): Promise<void> {
  const backoff = createBackoff(1_000, 30_000)
  let plan: ProbeReply | undefined
  let held: ProbeResults = []

  /** How long to wait before the next try where there is no plan; 0: the plan says. */
  async function exchange(): Promise<number> {
    try {
      const batch = held.slice(0, MAX_PROBE_RESULTS)
      plan = await client.call({ method: 'POST', path: AGENT_PATHS.probes, json: { results: batch } }, probeReply)
      held = held.slice(batch.length)
      backoff.reset()
      return 0
    } catch (error) {
      if (signal.aborted) return 0
      log.warn('probes_unsent', { error: errorText(error), held: held.length })
      if (!(error instanceof ControlError) || error.status >= 500 || error.status === 429)
        return retryDelay(link, backoff.next())
      // It will not have these, now or later.
      held = []
      if (error.status !== 404 && link.state !== 'revoked') return retryDelay(link, backoff.next())
      plan = undefined
      return error.status === 404 ? UNKNOWN_PAUSE_MS : retryDelay(link, backoff.next())
    }
  }

  while (!signal.aborted) {
    const begun = performance.now()
    if (plan !== undefined) {
      const round = await probeRound({
        plan,
        own,
        probe: (host, port) => probePort(host, port, TIMEOUT_MS),
        now: () => Date.now() + link.clockSkewMs,
        random: Math.random,
        signal,
      })
      held = [...held, ...round].slice(-MAX_PROBE_RESULTS)
    }
    const first = plan === undefined
    const wait = await exchange()
    // The first answer is a plan to begin with at once.
    if (first && plan !== undefined) continue
    const period = plan === undefined ? wait : plan.frequency * 1000
    await pause(Math.max(plan === undefined ? 100 : 0, period - (performance.now() - begun)), signal)
  }
}
