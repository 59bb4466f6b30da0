/** Counters and raw lines: folded and shipped in the role ingest, removed by age in the role worker. */
import type { Context } from './context.ts'
import { type IngestService, startIngestService, statsRetention } from './modules/ingest/index.ts'
import type { Part } from './platform/part.ts'
import { taskKind } from './platform/task.ts'

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
    tasks: [
      taskKind({
        kind: 'stats.retention',
        title: { zh: '清理统计数据', en: 'Statistics clean-up' },
        about: {
          zh: '按保留期删除统计数据与原始日志',
          en: 'Deletes figures and raw lines that are older than they are kept.',
        },
        cron: '37 * * * *',
        timeout: 1800,
        run: async () => {
          const removed = await statsRetention(database.pool, clock.now())
          await service?.rawRetention(disk.state().low)
          return removed
        },
      }),
    ],
  }
}
