/** The background of the role `ingest`: folds counters and ships lines, soon after they came and on a timer, until it is stopped. */
import type pg from 'pg'
import { type Analytics, ensureAnalyticsDatabase, openAnalytics } from '../../platform/clickhouse.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { foldCounters } from './fold.ts'
import { rawRetention } from './retention.ts'
import { ensureAnalyticsSchema } from './schema.ts'
import { boundQueue, noteStore, shipLines } from './ship.ts'

export interface IngestServiceDeps {
  pool: pg.Pool
  clock: Clock
  log: Log
  /** CLICKHOUSE_URL. */
  analyticsUrl: string
  /** IANA name of the installation's time zone. */
  timeZone: () => string
  /** Compressed bytes of raw lines that may wait while the analytics store is away. */
  maxRawBytes?: number
}

export interface IngestService {
  /** Something was stored: fold and ship soon. */
  wake(): void
  /** Job, some times an hour: raw lines by age, and earlier when the disk is low. Answers the days dropped. */
  rawRetention(lowDisk: boolean): Promise<string[]>
  /** Ends the loops; resolves when what runs is done. */
  stop(): Promise<void>
}

/** Between two rounds: shorter costs the store many small parts, longer lets people wait for their figures. */
const FOLD_MS = 300
const SHIP_MS = 1_000
const RETRY_MS = 2_000
const DEFAULT_RAW_BYTES = 512 * 1_048_576

export const startIngestService = (deps: IngestServiceDeps): IngestService => {
  const { pool, clock, log, analyticsUrl, timeZone, maxRawBytes = DEFAULT_RAW_BYTES } = deps
  const store = openAnalytics(analyticsUrl)
  let schemaDone = false
  let down = false

  const ready = async () => {
    if (schemaDone) return
    await ensureAnalyticsDatabase(analyticsUrl)
    await ensureAnalyticsSchema(store)
    schemaDone = true
  }
  const ship = async (): Promise<boolean> => {
    try {
      await ready()
      const { refused, more } = await shipLines({ pool, store })
      if (refused > 0) log.error({ refused }, 'the analytics store refused batches as unreadable')
      // Every round: another process may have noted an error that is over.
      await noteStore(pool, null, clock.now())
      if (down) log.info('the analytics store takes lines again')
      down = false
      if (more) await bound()
      return more
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (!down) log.warn({ err: message }, 'the analytics store does not take lines; they wait')
      down = true
      await noteStore(pool, message || 'unreachable', clock.now())
      // Its tables may be gone when it comes back.
      schemaDone = false
      await bound()
      throw error
    }
  }
  const bound = async () => {
    const dropped = await boundQueue(pool, maxRawBytes)
    if (dropped > 0) log.warn({ dropped }, 'oldest raw lines dropped: too many wait for the analytics store')
  }
  const fold = async () => {
    await foldCounters(pool, timeZone())
    return false
  }
  const loops = [
    loop(fold, {
      every: FOLD_MS,
      retry: RETRY_MS,
      onError: (error) => log.warn({ err: String(error) }, 'fold failed'),
    }),
    loop(ship, { every: SHIP_MS, retry: RETRY_MS, onError: () => {} }),
  ]
  return {
    wake: () => {
      for (const l of loops) l.wake()
    },
    rawRetention: async (lowDisk) => {
      await ready()
      return rawRetention(store, clock.now(), lowDisk)
    },
    stop: async () => {
      await Promise.all(loops.map((l) => l.stop()))
      await closeQuietly(store)
    },
  }
}

const closeQuietly = (store: Analytics) => store.close().catch(() => {})

/** Idle rounds are this much rarer than rounds that somebody woke. */
const IDLE_FACTOR = 10

/**
 * Runs `work` at once, then again at once while it says that there is more, `every` ms after it was woken, at the latest after ten times that;
 * after an error `retry` ms later.
 */
const loop = (
  work: () => Promise<boolean>,
  { every, retry, onError }: { every: number; retry: number; onError: (error: unknown) => void },
) => {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let woken = false
  /** A wake-up shortens the pause only then: it must not put off a round again and again, nor hurry a retry. */
  let idle = false
  let running: Promise<void> = Promise.resolve()

  const plan = (ms: number) => {
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      running = round()
    }, ms)
  }
  const round = async () => {
    woken = false
    let pause = retry
    try {
      const more = await work()
      pause = more ? 0 : woken ? every : every * IDLE_FACTOR
    } catch (error) {
      onError(error)
    }
    idle = pause === every * IDLE_FACTOR
    plan(pause)
  }
  running = round()
  return {
    wake: () => {
      if (idle) plan(every)
      idle = false
      woken = true
    },
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
