/** The publisher's loop: publishes on notice, after a lost connection and on a timer; several processes may run it side by side. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '../../platform/bus.ts'
import type { WithConfigChange } from '../../platform/config-change.ts'
import type { Log } from '../../platform/log.ts'
import { type PublishDeps, publishScope } from './publish-scope.ts'
import { resync } from './resync.ts'

const RETRY_MS = 200
const POLL_MS = 2_000
const RESYNC_MS = 600_000

export interface Publisher {
  /** Resolves when the first resync is through: from then on every group has its settings published. */
  start(): Promise<void>
  /** Publishes whatever waits; resolves when it is done. Never rejects: failures are logged and tried again by the timer. */
  publishPending(): Promise<void>
  stop(): Promise<void>
}

export const createPublisher = (
  deps: PublishDeps & { bus: Bus; log: Log; withConfigChange: WithConfigChange },
): Publisher => {
  const running = new Map<string, { again: boolean; done: Promise<void> }>()
  const cleanup: (() => void)[] = []
  let stopped = false

  const runScope = async (scope: string, state: { again: boolean }) => {
    do {
      state.again = false
      try {
        const started = performance.now()
        const revision = await publishScope(deps, scope)
        if (revision !== null) {
          deps.log.info({ scope, revision, ms: Math.round(performance.now() - started) }, 'published')
        }
      } catch (error) {
        deps.log.error({ scope, err: error }, 'publishing failed, will be tried again')
        await delay(RETRY_MS)
        state.again = true
      }
    } while (state.again && !stopped)
  }
  const publish = (scope: string): Promise<void> => {
    const now = running.get(scope)
    if (now) {
      now.again = true
      return now.done
    }
    if (stopped) return Promise.resolve()
    const state = { again: false, done: Promise.resolve() }
    state.done = runScope(scope, state).finally(() => running.delete(scope))
    running.set(scope, state)
    return state.done
  }
  const publishPending = async () => {
    try {
      const { rows } = await deps.pool.query<{ scope: string }>(
        `SELECT s.scope FROM config_scope s LEFT JOIN config_published p USING (scope) WHERE s.head > COALESCE(p.published, 0)`,
      )
      await Promise.all(rows.map((r) => publish(r.scope)))
    } catch (error) {
      deps.log.error({ err: error }, 'cannot look for what is to be published, will be tried again')
    }
  }
  const repair = async () => {
    try {
      const refs = await resync(deps, deps.withConfigChange)
      if (refs.length > 0) deps.log.info({ refs }, 'resync found differences')
    } catch (error) {
      deps.log.error({ err: error }, 'resync failed, will be tried again')
    }
    await publishPending()
  }
  const every = (ms: number, work: () => Promise<void>) => {
    const timer = setInterval(() => void work(), ms)
    cleanup.push(() => clearInterval(timer))
  }

  return {
    publishPending,
    start: async () => {
      cleanup.push(deps.bus.on('config_pending', (scope) => void publish(scope)))
      cleanup.push(deps.bus.onResync(() => void publishPending()))
      every(POLL_MS, publishPending)
      every(RESYNC_MS, repair)
      await publishPending()
      await repair()
    },
    stop: async () => {
      stopped = true
      for (const undo of cleanup.splice(0)) undo()
      await Promise.all([...running.values()].map((r) => r.done))
    },
  }
}
