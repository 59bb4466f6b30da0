/** Counters and raw lines: folded and shipped in the role ingest, removed by age and compared in the role worker. */
import type { Context } from './context.ts'
import {
  type IngestService,
  openReady,
  type ReadyStore,
  startIngestService,
  statsTasks,
} from './modules/ingest/index.ts'
import type { Part } from './platform/part.ts'

export interface StatsPart extends Part {
  /** Something was stored: fold and ship soon. */
  wake(): void
  /** Where tasks read and remove raw lines; undefined: there is no analytics store. */
  store: ReadyStore | undefined
}

/** `timeZone`: IANA name of the installation's. */
export const statsPart = (context: Context, timeZone: () => string): StatsPart => {
  const { env, clock, log, database, disk } = context
  let service: IngestService | undefined
  const url = env.CLICKHOUSE_URL
  const store = url === undefined ? undefined : openReady(url)
  return {
    name: 'stats',
    store,
    wake: () => service?.wake(),
    start: async (roles) => {
      if (!roles.has('ingest')) return
      service = startIngestService({ pool: database.pool, clock, log, analyticsUrl: url, timeZone })
    },
    stop: async () => {
      await service?.stop()
      await store?.close()
    },
    tasks: statsTasks({ pool: database.pool, clock, timeZone, store, diskLow: () => disk.state().low }),
  }
}
