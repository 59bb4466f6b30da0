/** Counters and raw lines: folded and shipped in the role ingest, removed by age in the role worker. */
import type { Context } from './context.ts'
import { type IngestService, startIngestService, statsRetention } from './modules/ingest/index.ts'
import type { Part } from './platform/part.ts'

export interface StatsPart extends Part {
  /** Something was stored: fold and ship soon. */
  wake(): void
}

/** `timeZone`: IANA name of the installation's. */
export const statsPart = (context: Context, timeZone: () => string): StatsPart => {
  const { env, clock, log, database, disk } = context
  let service: IngestService | undefined
  return {
    name: 'stats',
    wake: () => service?.wake(),
    start: async (roles) => {
      if (!roles.has('ingest')) return
      service = startIngestService({ pool: database.pool, clock, log, analyticsUrl: env.CLICKHOUSE_URL, timeZone })
    },
    stop: async () => service?.stop(),
    jobs: [
      {
        name: 'stats.retention',
        cron: '37 * * * *',
        run: async () => {
          await statsRetention(database.pool, clock.now())
          await service?.rawRetention(disk.state().low)
        },
      },
    ],
  }
}
