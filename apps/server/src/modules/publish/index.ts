/** publish: the implementation of the door for configuration changes, and everything behind it. Only the composition root imports it. */
import type { Bus } from '../../platform/bus.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PushRef } from '../../platform/config-change.ts'
import type { Database } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createAcks } from './ack.ts'
import { createWithConfigChange } from './change.ts'
import { createDeltas } from './delta.ts'
import { pendingSince, pushCounts, readProgress, revisionsOfChange } from './feedback.ts'
import { pushHandlers } from './operations.ts'
import type { PublishDeps } from './publish-scope.ts'
import { createPublisher } from './publisher.ts'
import { publishRetention } from './retention.ts'
import { createServedSites } from './served.ts'
import { totalsOfChanges } from './totals.ts'

export { keepRevisionsAhead } from './restored.ts'

export interface PublishModuleDeps {
  database: Database
  bus: Bus
  clock: Clock
  log: Log
  secrets: Secrets
  /** TIDEGATE_ALLOW_PRIVATE_ORIGINS */
  allowPrivateOrigins: boolean
  seam?: PublishDeps['seam']
}

/**
 * `publisher` is started by the worker role only; `deltas` and `acks` serve the agents' port; `close` ends the timers of this process.
 */
export const createPublishModule = (deps: PublishModuleDeps) => {
  const { database, bus, log, secrets } = deps
  const withConfigChange = createWithConfigChange(database.db)
  const publish: PublishDeps = {
    pool: database.pool,
    context: { secrets, allowPrivateOrigins: deps.allowPrivateOrigins },
    ...(deps.seam && { seam: deps.seam }),
  }
  const deltas = createDeltas(database.pool, bus, secrets)
  const acks = createAcks(database.pool, log)
  return {
    handlers: pushHandlers({ db: database.db, bus, publish, withConfigChange }),
    withConfigChange,
    publisher: createPublisher({ ...publish, bus, log, withConfigChange }),
    deltas,
    acks,
    servedSites: createServedSites(database.pool, deps.clock),
    /** For the badge of the push screen: cheap. */
    pushCounts: () => pushCounts(database.db),
    /** When the oldest revision that waits for some node or for the publisher was made; null = none waits. */
    pendingSince: () => pendingSince(database.db),
    /** Every node's answer to each revision that a change made. */
    feedbackOfChange: async (change: string) => {
      const refs = await revisionsOfChange(database.db, change)
      const found = await Promise.all(refs.map((ref: PushRef) => readProgress(database.db, ref)))
      return found.filter((p) => p !== null)
    },
    /** Every node's answer to one revision; null = there is none (any more). */
    answersTo: async (ref: PushRef) => (await readProgress(database.db, ref))?.feedback ?? null,
    /** How many nodes answered each change, and when the last one did. */
    totalsOfChanges: (changes: string[]) => totalsOfChanges(database.db, changes),
    /** For the daily job. `now`: Unix ms. */
    retention: (now: number) => publishRetention(database.db, now),
    close: async () => {
      deltas.close()
      await acks.flush()
    },
  }
}
export type PublishModule = ReturnType<typeof createPublishModule>
