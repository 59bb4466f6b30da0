/** The background of the role `ingest`: folds counters and ships lines, soon after they came and on a timer, until it is stopped. */
import type pg from 'pg'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { foldCounters } from './fold.ts'
import { startLoop } from './loop.ts'
import { boundQueue, noteStore, StoreAway, shipLines } from './ship.ts'
import { openReady, type ReadyStore } from './store.ts'

export interface IngestServiceDeps {
  pool: pg.Pool
  clock: Clock
  log: Log
  /** CLICKHOUSE_URL; without it counters are folded, and raw lines wait within their bound. */
  analyticsUrl: string | undefined
  /** IANA name of the installation's time zone. */
  timeZone: () => string
  /** Compressed bytes of raw lines that may wait while the analytics store is away. */
  maxRawBytes?: number
}

export interface IngestService {
  /** Something was stored: fold and ship soon. */
  wake(): void
  /** Ends the loops; resolves when what runs is done. */
  stop(): Promise<void>
}

/** Between two rounds: shorter costs the store many small parts, longer lets people wait for their figures. */
const FOLD_MS = 300
const SHIP_MS = 1_000
const RETRY_MS = 2_000
const DEFAULT_RAW_BYTES = 512 * 1_048_576

export const startIngestService = (deps: IngestServiceDeps): IngestService => {
  const { pool, log, analyticsUrl, timeZone } = deps
  const analytics = analyticsUrl === undefined ? undefined : openReady(analyticsUrl)
  const fold = async () => {
    await foldCounters(pool, timeZone())
    return false
  }
  const failed = (what: string) => (error: unknown) => log.warn({ err: String(error) }, `${what} failed`)
  const loops = [
    startLoop(fold, { every: FOLD_MS, retry: RETRY_MS, onError: failed('folding counters') }),
    startLoop(shipping(deps, analytics), { every: SHIP_MS, retry: RETRY_MS, onError: failed('shipping raw lines') }),
  ]
  return {
    wake: () => {
      for (const loop of loops) loop.wake()
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
      await analytics?.close()
    },
  }
}

/** One round of shipping; answers whether more waits. A store that is away is noted, not thrown: that is a state, which the overview shows. */
const shipping = (deps: IngestServiceDeps, analytics: ReadyStore | undefined) => {
  const { pool, clock, log, maxRawBytes = DEFAULT_RAW_BYTES } = deps
  let down = false
  const bound = async () => {
    const dropped = await boundQueue(pool, maxRawBytes)
    if (dropped > 0) log.warn({ dropped }, 'oldest raw lines dropped: too many wait for the analytics store')
  }
  const away = async (error: StoreAway) => {
    if (!down) log.warn({ err: error.message }, 'the analytics store does not take lines; they wait')
    down = true
    analytics?.wasAway()
    await noteStore(pool, error.message, clock.now())
    await bound()
    return false
  }
  return async (): Promise<boolean> => {
    if (!analytics) {
      await bound()
      return false
    }
    try {
      const store = await analytics.ready().catch((error: unknown) => {
        throw new StoreAway(error)
      })
      const { refused, more } = await shipLines({ pool, store })
      if (refused > 0) log.error({ refused }, 'the analytics store refused batches as unreadable')
      // Every round: another process may have noted an error that is over.
      await noteStore(pool, null, clock.now())
      if (down) log.info('the analytics store takes lines again')
      down = false
      if (more) await bound()
      return more
    } catch (error) {
      if (error instanceof StoreAway) return away(error)
      throw error
    }
  }
}
