/** The settings' overview looks at everything an installation stands on; this is where it gets it. */
import { ENROLL_TOKEN_TTL } from '@tidegate/contract/limits'
import type { OutputOf } from '@tidegate/contract/operations/index'
import type { Context } from './context.ts'
import type { SettingsModule } from './modules/settings/index.ts'
import type { UploadModule } from './modules/upload/index.ts'
import { pingAnalytics } from './platform/clickhouse-ping.ts'
import type { Part } from './platform/part.ts'
import { VERSION } from './version.ts'

type Data = OutputOf<'system.overview'>['data']

/** Version and size of the database, and whose it is. */
export const databaseState = async ({ database, env }: Context): Promise<Data['database']> => {
  const { rows } = await database.pool.query<{ version: string; bytes: number }>(
    `SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes`,
  )
  // The launcher's own database has an owner of its own.
  return { version: rows[0]?.version ?? '', bytes: rows[0]?.bytes ?? 0, outside: env.DATABASE_OWNER_URL === undefined }
}

const jobState = async ({ database }: Context): Promise<Data['jobs']> => {
  const { rows } = await database.pool.query<{ waiting: number; failed: number; workers: number }>(`
    SELECT count(*) FILTER (WHERE attempts < max_attempts) AS waiting, count(*) FILTER (WHERE attempts >= max_attempts) AS failed,
      count(DISTINCT locked_by) AS workers
    FROM graphile_worker.jobs`)
  return rows[0] ?? { waiting: 0, failed: 0, workers: 0 }
}

const analyticsState = async (url: string | undefined): Promise<Data['analytics']> => {
  if (!url) return { set: false, ok: false, outside: false }
  const { hostname } = new URL(url)
  return { set: true, ok: await pingAnalytics(url), outside: !['127.0.0.1', '[::1]', 'localhost'].includes(hostname) }
}

export interface SystemPartDeps {
  settings: SettingsModule
  uploads: UploadModule
  /** Address of the nodes' port. */
  agentUrl: () => string
  /** The installation's own address; undefined: none was set. */
  publicUrl: () => string | undefined
  /** Newest backup; absent until there is a part that makes them. */
  lastBackup?: (() => Promise<{ time: string } | null>) | undefined
}

export const systemPart = (context: Context, deps: SystemPartDeps): Part => ({
  name: 'system',
  handlers: {
    'system.install': async () => ({
      data: {
        publicUrl: deps.publicUrl() ?? '',
        agentUrl: deps.agentUrl(),
        bind: context.env.TIDEGATE_BIND,
        tokenTtl: ENROLL_TOKEN_TTL,
      },
    }),
    'system.overview': async (_input, caller) => {
      const { settings, uploads } = deps
      const [database, jobs, analytics, files, timeZone, records, backup] = await Promise.all([
        databaseState(context),
        jobState(context),
        analyticsState(context.env.CLICKHOUSE_URL),
        uploads.totals(),
        settings.timeZone(),
        settings.summary(caller),
        deps.lastBackup?.() ?? null,
      ])
      return {
        data: {
          version: VERSION,
          node: process.version,
          uptime: Math.round(process.uptime()),
          dataDir: context.env.TIDEGATE_DATA,
          timeZone,
          disk: context.disk.state(),
          database,
          analytics,
          jobs,
          backup,
          uploads: files,
          records,
        },
      }
    },
  },
})
