/** Modules as parts: what of each is started in which role, and its timed jobs. */

import type { Context } from './context.ts'
import type { IngestService } from './modules/ingest/index.ts'
import { startIngestService, statsRetention } from './modules/ingest/index.ts'
import type { PublishModule } from './modules/publish/index.ts'
import type { SettingsModule } from './modules/settings/index.ts'
import type { Part } from './platform/part.ts'

/** The publisher runs in the role worker; what serves the agents' port, wherever that is. */
export const publishPart = (publish: PublishModule, { clock }: Context): Part => ({
  name: 'publish',
  handlers: publish.handlers,
  start: async (roles) => {
    if (roles.has('worker')) await publish.publisher.start()
  },
  stop: async () => {
    await publish.publisher.stop()
    await publish.close()
  },
  jobs: [
    {
      name: 'publish.retention',
      cron: '17 3 * * *',
      run: async () => void (await publish.retention(clock.now())),
    },
  ],
})

/** Counters and raw lines: folded and shipped in the role ingest, removed by age in the role worker. */
export const statsPart = (context: Context, settings: SettingsModule): Part & { wake(): void } => {
  const { env, clock, log, database, disk } = context
  let service: IngestService | undefined
  return {
    name: 'stats',
    wake: () => service?.wake(),
    start: async (roles) => {
      if (!roles.has('ingest') || !env.CLICKHOUSE_URL) return
      service = startIngestService({
        pool: database.pool,
        clock,
        log,
        analyticsUrl: env.CLICKHOUSE_URL,
        timeZone: settings.timeZoneNow,
      })
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
