/** A site as the console sees it, with how far its present version has come. */
import type { OriginServer } from '@tidegate/contract/node/config'
import type { SiteInfo, SiteRow, SiteSettings } from '@tidegate/contract/operations/site'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import { iso, rows } from '../../platform/query.ts'

export interface SiteListRow {
  id: number
  userId: number | null
  userName: string | null
  domains: string[]
  slug: string
  zone: string
  enabled: boolean
  groupId: number
  groupName: string
  originProtocol: SiteRow['originProtocol']
  origins: OriginServer[]
  settings: SiteSettings
  certId: number | null
  certNotAfter: string | null
  revision: number
  version: number
  updatedAt: string
  createdAt: string
  remark: string
}

/** `revision`: of the last save, or of the last item that was published for another reason. */
export const SELECT_SITE = sql`SELECT s.id, s.user_id AS "userId", u.username AS "userName", s.domains, s.slug, g.cname_zone AS zone, s.enabled, s.group_id AS "groupId", g.name AS "groupName",
  s.origin_protocol AS "originProtocol", s.origins, s.settings, s.cert_id AS "certId", c.not_after AS "certNotAfter", s.version,
  s.updated_at AS "updatedAt", s.created_at AS "createdAt", s.remark,
  GREATEST((SELECT max(r.revision) FROM config_revision r WHERE r.change = s.change AND r.scope = 'group:' || s.group_id),
    (SELECT k.revision FROM config_current k WHERE k.scope = 'group:' || s.group_id AND k.kind = 'site' AND k.key = s.id::text), 0) AS revision
  FROM site s JOIN node_group g ON g.id = s.group_id LEFT JOIN cert c ON c.id = s.cert_id
  LEFT JOIN customer u ON u.id = s.user_id`

interface Crowd {
  scope: string
  applied: number
  nodes: number
}

const crowdsOf = (db: Queryable, scopes: string[]) =>
  rows<Crowd>(
    db,
    sql`SELECT scope, applied, count(*) AS nodes FROM node_push WHERE scope = ANY (${sql.param(scopes)}::text[]) AND NOT revoked
        GROUP BY scope, applied`,
  )

interface Refusal {
  scope: string
  name: string
  nodes: number
  server: boolean
}

const refusalsOf = (db: Queryable, scopes: string[], names: string[]) =>
  rows<Refusal>(
    db,
    sql`SELECT scope, name, count(*) AS nodes, false AS server FROM node_push p, jsonb_array_elements_text(p.refused_now) name
        WHERE scope = ANY (${sql.param(scopes)}::text[]) AND NOT revoked AND refused_now <> '[]' AND name = ANY (${sql.param(names)}::text[])
        GROUP BY scope, name
        UNION ALL SELECT scope, kind || ' ' || key, 0, true FROM config_failed
        WHERE scope = ANY (${sql.param(scopes)}::text[]) AND kind = 'site' AND key = ANY (${sql.param(names.map((n) => n.slice(5)))}::text[])`,
  )

/** Adds the counts of nodes: in the group, running the wanted version, refusing it. What does not compile is refused for all of them. */
export const present = async (db: Queryable, list: SiteListRow[]): Promise<SiteRow[]> => {
  const scopes = [...new Set(list.map((s) => `group:${s.groupId}`))]
  const names = list.map((s) => `site ${s.id}`)
  const [crowds, refusals] = await Promise.all([crowdsOf(db, scopes), refusalsOf(db, scopes, names)])
  return list.map((s) => {
    const scope = `group:${s.groupId}`
    const sum = (some: Crowd[]) => some.reduce((n, c) => n + c.nodes, 0)
    const own = crowds.filter((c) => c.scope === scope)
    const nodes = sum(own)
    const reached = sum(own.filter((c) => c.applied >= s.revision))
    const refusing = refusals.filter((r) => r.scope === scope && r.name === `site ${s.id}`)
    const refused = refusing.some((r) => r.server) ? nodes : Math.max(0, ...refusing.map((r) => r.nodes))
    return {
      id: s.id,
      userId: s.userId,
      userName: s.userName ?? '',
      domains: s.domains,
      cname: `${s.slug}.${s.zone}`,
      enabled: s.enabled,
      groupId: s.groupId,
      groupName: s.groupName,
      originProtocol: s.originProtocol,
      origins: s.origins.map(shown),
      certId: s.certId,
      certNotAfter: iso(s.certNotAfter),
      nodes,
      nodesLive: Math.max(0, reached - refused),
      nodesRefused: refused,
      revision: s.revision,
      updateTime: iso(s.updatedAt),
      createTime: iso(s.createdAt),
      remark: s.remark,
    }
  })
}

const shown = (o: OriginServer) => (o.host.includes(':') ? `[${o.host}]` : o.host)

export const presentInfo = async (db: Queryable, site: SiteListRow): Promise<SiteInfo> => {
  const [base] = await present(db, [site])
  if (!base) throw new Error('a site was lost while it was presented')
  return { ...base, origins: site.origins, settings: site.settings, version: site.version }
}
