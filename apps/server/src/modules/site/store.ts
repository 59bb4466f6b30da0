/** Rows of sites: reading them for change, writing them with their domains and versions. */
import type { OriginServer } from '@tidegate/contract/node/config'
import type { SiteSettings } from '@tidegate/contract/operations/site'
import { purgeKey } from '@tidegate/node-config/compile'
import { type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import { groupScope, type Touch } from '../../platform/config-change.ts'
import type { Queryable, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { reachable } from '../../platform/owner.ts'
import { row, rows, sqlState } from '../../platform/query.ts'

/** A site as it is stored and kept in its history. */
export interface SiteData {
  userId: number | null
  groupId: number
  enabled: boolean
  domains: string[]
  originProtocol: string
  origins: OriginServer[]
  settings: SiteSettings
  certId: number | null
  remark: string
}
export interface StoredSite extends SiteData {
  id: number
  version: number
}

/** A site locked for change; undefined when there is none that the caller reaches. */
export const lockSite = (tx: Tx, id: number, caller: Caller): Promise<StoredSite | undefined> =>
  lockWhere(tx, id, reachable(caller, sql`user_id`))

/** Whosever it is. */
export const lockAnySite = (tx: Tx, id: number): Promise<StoredSite | undefined> => lockWhere(tx, id, sql`true`)

const lockWhere = (tx: Tx, id: number, condition: SQL): Promise<StoredSite | undefined> =>
  row<StoredSite>(
    tx,
    sql`SELECT id, version, user_id AS "userId", group_id AS "groupId", enabled, domains, origin_protocol AS "originProtocol", origins,
          settings, cert_id AS "certId", remark FROM site WHERE id = ${id} AND ${condition} FOR UPDATE`,
  )

const values = (s: SiteData) => ({
  domains: sql`${sql.param(s.domains)}::text[]`,
  origins: sql`${JSON.stringify(s.origins)}::jsonb`,
  settings: sql`${JSON.stringify(s.settings)}::jsonb`,
})

export const insertSite = async (tx: Tx, slug: string, site: SiteData): Promise<StoredSite> => {
  const v = values(site)
  const made = await row<{ id: number }>(
    tx,
    sql`INSERT INTO site (user_id, group_id, enabled, slug, domains, origin_protocol, origins, settings, cert_id, remark)
        VALUES (${site.userId}, ${site.groupId}, ${site.enabled}, ${slug}, ${v.domains}, ${site.originProtocol}, ${v.origins}, ${v.settings},
          ${site.certId}, ${site.remark}) RETURNING id`,
  )
  if (!made) throw new Error('no site was inserted')
  return { ...site, id: made.id, version: 1 }
}

/** Writes the next version. */
export const updateSite = async (tx: Tx, site: StoredSite): Promise<StoredSite> => {
  const v = values(site)
  await tx.execute(sql`UPDATE site SET user_id = ${site.userId}, group_id = ${site.groupId}, enabled = ${site.enabled}, domains = ${v.domains},
    origin_protocol = ${site.originProtocol}, origins = ${v.origins}, settings = ${v.settings}, cert_id = ${site.certId}, remark = ${site.remark},
    version = ${site.version + 1}, change = current_change(), updated_at = now() WHERE id = ${site.id}`)
  return { ...site, version: site.version + 1 }
}

/** Makes the site's domains the given ones. Throws `domain_taken` naming the first that another site has. */
export const replaceDomains = async (tx: Tx, siteId: number, domains: string[]): Promise<void> => {
  const list = sql`${sql.param(domains)}::text[]`
  await tx.execute(sql`DELETE FROM site_domain WHERE site_id = ${siteId} AND domain <> ALL (${list})`)
  const foreign = await rows<{ domain: string }>(
    tx,
    sql`SELECT domain FROM site_domain WHERE domain = ANY (${list}) AND site_id <> ${siteId}`,
  )
  if (foreign.length > 0) throw domainTaken(domains, new Set(foreign.map((f) => f.domain)))
  try {
    // Sorted: two writers of the same names wait for each other in one order.
    await tx.execute(sql`INSERT INTO site_domain (domain, site_id) SELECT d, ${siteId} FROM unnest(${list}) d
      WHERE NOT EXISTS (SELECT FROM site_domain x WHERE x.domain = d AND x.site_id = ${siteId}) ORDER BY d`)
  } catch (error) {
    if (sqlState(error) !== '23505') throw error
    throw domainTaken(domains, new Set([conflicting(error, domains)]))
  }
}

/** A writer that came between the look and the insert: PostgreSQL's detail names the domain. */
const conflicting = (error: unknown, domains: string[]): string => {
  for (let e = error; e instanceof Error; e = e.cause) {
    const detail = String((e as { detail?: unknown }).detail ?? '')
    const found = domains.find((d) => detail.includes(`(${d})`))
    if (found) return found
  }
  return domains[0] ?? ''
}

const domainTaken = (domains: string[], taken: Set<string>): AppError => {
  const fields = domains.flatMap((value, i) =>
    taken.has(value) ? [{ path: `domains.${i}`, key: 'taken' as const, params: { value } }] : [],
  )
  return new AppError('domain_taken', { params: { domain: [...taken][0] ?? '' }, fields })
}

export const addVersion = async (tx: Tx, site: StoredSite, reason: string, by: string): Promise<void> => {
  const { id, version, ...input } = site
  await tx.execute(sql`INSERT INTO site_version (site_id, version, reason, by_name, input)
    VALUES (${id}, ${version}, ${reason}, ${by}, ${JSON.stringify(input)}::jsonb)`)
}

/** Touches everything of a site in the scope of its group: itself, its certificate, and its purges when it comes or goes. */
export const touchSite = async (
  on: Queryable,
  touch: Touch,
  site: { id: number; groupId: number; certId: number | null },
  withPurges: boolean,
): Promise<void> => {
  const scope = groupScope(site.groupId)
  touch(scope, 'site', String(site.id))
  if (site.certId !== null) touch(scope, 'cert', String(site.certId))
  if (!withPurges) return
  const purges = await rows<{ kind: string; value: string }>(
    on,
    sql`SELECT kind, value FROM purge_row WHERE site_id = ${site.id}`,
  )
  for (const p of purges) touch(scope, 'purge', purgeKey(site.id, p.kind, p.value))
}
