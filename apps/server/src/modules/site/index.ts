/** Sites: domains, origins, settings, versions. */
import { sql } from 'drizzle-orm'
import type { Handlers } from '../../platform/caller.ts'
import type { WithConfigChange } from '../../platform/config-change.ts'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Exportable } from '../../platform/exportable.ts'
import { page } from '../../platform/page.ts'
import type { Command } from '../../platform/part.ts'
import { iso, row, rows } from '../../platform/query.ts'
import { deleteSites, enableSites, rollbackSite } from './change.ts'
import { demoCommand } from './demo.ts'
import { siteExport } from './export.ts'
import { listSites } from './list.ts'
import { createNameSample } from './name-sample.ts'
import { presentInfo, SELECT_SITE, type SiteListRow } from './present.ts'
import { saveSite } from './save.ts'

export interface SiteModuleDeps {
  db: Db
  withConfigChange: WithConfigChange
  /** TIDEGATE_ALLOW_PRIVATE_ORIGINS */
  allowPrivateOrigins: boolean
}

type SiteIds =
  | 'site.list'
  | 'site.info'
  | 'site.save'
  | 'site.enable'
  | 'site.delete'
  | 'site.history'
  | 'site.rollback'

export interface SiteModule {
  handlers: Handlers<SiteIds>
  commands: Record<string, Command>
  exports: readonly Exportable[]
  counts(): Promise<{ enabled: number; total: number }>
  /** First domain of each of these sites that exists still. */
  firstDomains(ids: number[]): Promise<Map<number, string>>
}

export const createSiteModule = (deps: SiteModuleDeps): SiteModule => {
  const sample = createNameSample(deps.db)
  return {
    counts: () => siteCounts(deps.db),
    firstDomains: (ids) => firstDomains(deps.db, ids),
    exports: [siteExport((on, query) => listSites(on, sample, query))],
    commands: { demo: demoCommand(deps) },
    handlers: {
      'site.list': (query) => listSites(deps.db, sample, query),
      'site.info': async ({ id }) => {
        const site = await row<SiteListRow>(deps.db, sql`${SELECT_SITE} WHERE s.id = ${id}`)
        if (!site) throw new AppError('not_found')
        return { data: await presentInfo(deps.db, site) }
      },
      'site.save': (input, caller) => saveSite(deps, input, caller),
      'site.enable': async ({ ids, enabled }, caller) => ({ push: await enableSites(deps, ids, enabled, caller) }),
      'site.delete': async ({ ids }, caller) => ({ push: await deleteSites(deps, ids, caller) }),
      'site.history': (input) => history(deps.db, input),
      'site.rollback': ({ id, version }, caller) => rollbackSite(deps, id, version, caller),
    },
  }
}

interface HistoryRow {
  version: number
  revision: number
  time: string
  by: string
  reason: string
  domains: string[]
}

const history = async (db: Db, input: { id: number; page: number; limit: number }) => {
  const count = await row<{ n: number }>(db, sql`SELECT count(*) AS n FROM site_version WHERE site_id = ${input.id}`)
  const list = await rows<HistoryRow>(
    db,
    sql`SELECT v.version, v.created_at AS time, v.by_name AS by, v.reason, v.input->'domains' AS domains,
          COALESCE((SELECT max(r.revision) FROM config_revision r
                    WHERE r.change = v.change AND r.scope = 'group:' || (v.input->>'groupId')), 0) AS revision
        FROM site_version v WHERE v.site_id = ${input.id} ORDER BY v.version DESC
        LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )
  return page(
    input,
    count?.n ?? 0,
    list.map((v) => ({ ...v, time: iso(v.time) })),
  )
}

const siteCounts = async (db: Db) => {
  const counts = await row<{ enabled: number; total: number }>(
    db,
    sql`SELECT count(*) FILTER (WHERE enabled) AS enabled, count(*) AS total FROM site`,
  )
  return counts ?? { enabled: 0, total: 0 }
}

const firstDomains = async (db: Db, ids: number[]) => {
  const found = await rows<{ id: number; domain: string }>(
    db,
    sql`SELECT id, domains[1] AS domain FROM site WHERE id = ANY(${sql.param(ids)}::bigint[])`,
  )
  return new Map(found.map((s) => [s.id, s.domain]))
}
