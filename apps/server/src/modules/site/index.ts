/** Sites: domains, origins, settings, versions. */
import type { InputOf } from '@tidegate/contract/operations/index'
import { sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { WithConfigChange } from '../../platform/config-change.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Exportable } from '../../platform/exportable.ts'
import { ownerOf, reachable, within } from '../../platform/owner.ts'
import { page } from '../../platform/page.ts'
import type { Command } from '../../platform/part.ts'
import { iso, row, rows } from '../../platform/query.ts'
import { deleteSites, enableSites, rollbackSite } from './change.ts'
import { demoCommand } from './demo.ts'
import { siteExport } from './export.ts'
import { listSites, type SiteQuery } from './list.ts'
import { createNameSample } from './name-sample.ts'
import { presentInfo, SELECT_SITE, type SiteListRow } from './present.ts'
import { saveSite } from './save.ts'

export { bindCert } from './bind-cert.ts'

const DAY_MS = 86_400_000

export interface SiteModuleDeps {
  db: Db
  clock: Clock
  withConfigChange: WithConfigChange
  /** TIDEGATE_ALLOW_PRIVATE_ORIGINS */
  allowPrivateOrigins: boolean
  /** Throws while a customer lacks what the installation asks for before domains are added. */
  mayAddDomains(on: Queryable, customerId: number): Promise<void>
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
  /** `owner`: of this customer only; null = of all. */
  counts(owner?: number | null): Promise<{ enabled: number; total: number }>
  /** Every site of a customer. */
  idsOf(customerId: number): Promise<number[]>
  /** The customer's newest site that is none of these. */
  newest(owner: number, except: number[]): Promise<{ siteId: number; domain: string; cname: string } | undefined>
  /** First domain of each of these sites that exists still. */
  firstDomains(ids: number[]): Promise<Map<number, string>>
}

export const createSiteModule = (deps: SiteModuleDeps): SiteModule => {
  const sample = createNameSample(deps.db)
  const asked = ({ certDays, ...query }: InputOf<'site.list'>, caller: Caller): SiteQuery => ({
    ...query,
    userId: ownerOf(caller) ?? query.userId,
    ...(certDays !== undefined && { certBefore: new Date(deps.clock.now() + certDays * DAY_MS).toISOString() }),
  })
  return {
    counts: (owner: number | null = null) => siteCounts(deps.db, owner),
    firstDomains: (ids) => firstDomains(deps.db, ids),
    exports: [siteExport((on, query, caller) => listSites(on, sample, asked(query, caller)))],
    idsOf: (customerId) => idsOf(deps.db, customerId),
    newest: (owner, except) => newestSite(deps.db, owner, except),
    commands: { demo: demoCommand(deps) },
    handlers: {
      'site.list': (query, caller) => listSites(deps.db, sample, asked(query, caller)),
      'site.info': async ({ id }, caller) => {
        const own = reachable(caller, sql`s.user_id`)
        const site = await row<SiteListRow>(deps.db, sql`${SELECT_SITE} WHERE s.id = ${id} AND ${own}`)
        if (!site) throw new AppError('not_found')
        return { data: await presentInfo(deps.db, site) }
      },
      'site.save': (input, caller) => saveSite(deps, input, caller),
      'site.enable': async ({ ids, enabled }, caller) => ({ push: await enableSites(deps, ids, enabled, caller) }),
      'site.delete': async ({ ids }, caller) => ({ push: await deleteSites(deps, ids, caller) }),
      'site.history': (input, caller) => history(deps.db, input, caller),
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

const history = async (db: Db, input: { id: number; page: number; limit: number }, caller: Caller) => {
  const owner = ownerOf(caller)
  const foreign =
    owner !== null && !(await row(db, sql`SELECT 1 AS n FROM site WHERE id = ${input.id} AND user_id = ${owner}`))
  if (foreign) throw new AppError('not_found')
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

const siteCounts = async (db: Db, owner: number | null) => {
  const counts = await row<{ enabled: number; total: number }>(
    db,
    sql`SELECT count(*) FILTER (WHERE enabled) AS enabled, count(*) AS total FROM site WHERE ${within(owner, sql`user_id`)}`,
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

const idsOf = async (db: Db, customerId: number) => {
  const found = await rows<{ id: number }>(db, sql`SELECT id FROM site WHERE user_id = ${customerId}`)
  return found.map((site) => site.id)
}

const newestSite = (db: Db, owner: number, except: number[]) =>
  row<{ siteId: number; domain: string; cname: string }>(
    db,
    sql`SELECT s.id AS "siteId", s.domains[1] AS domain, s.slug || '.' || g.cname_zone AS cname
        FROM site s JOIN node_group g ON g.id = s.group_id
        WHERE s.user_id = ${owner} AND s.enabled AND s.id <> ALL (${sql.param(except)}::bigint[]) ORDER BY s.id DESC LIMIT 1`,
  )
