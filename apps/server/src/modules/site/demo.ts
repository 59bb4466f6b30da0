/** `demo --origin HOST:PORT --domain NAME`: the demo site, once; its origin is allowed in the group although it is a private address. */
import { parseArgs } from 'node:util'
import type { OriginServer } from '@tidegate/contract/node/config'
import { siteIn } from '@tidegate/contract/operations/site'
import { SETTINGS_KEY } from '@tidegate/node-config/compile'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import { groupScope } from '../../platform/config-change.ts'
import type { Command } from '../../platform/part.ts'
import { row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import type { SiteModuleDeps } from './index.ts'
import { saveSite } from './save.ts'

const GROUP = 1

/** The operator at the machine itself. */
const SYSTEM: Caller = {
  kind: 'system',
  id: 0,
  name: 'system',
  superAdmin: false,
  permissions: new Set(),
  unvalidModel: [],
  sessionId: 0,
  acting: null,
  console: 'admin',
  lang: 'en',
  ip: '',
  userAgent: '',
  requestId: '',
}

/** Prints JSON {siteId, domain, cname, created}. Exit code 2 for wrong words. */
export const demoCommand =
  (deps: SiteModuleDeps): Command =>
  async (args, print) => {
    const { values } = parseArgs({
      args: [...args],
      options: { origin: { type: 'string' }, domain: { type: 'string', default: 'demo.tidegate.test' } },
    })
    const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(values.origin ?? '') ?? []
    const origins = [{ host, port: Number(port), line: 'main' }]
    const input = siteIn.safeParse({ domains: [values.domain], originProtocol: 'http', origins })
    if (!input.success) {
      print(JSON.stringify({ error: input.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; ') }))
      return 2
    }
    const domain = input.data.domains[0] ?? ''
    const have = await row<{ id: number; origins: OriginServer[] }>(
      deps.db,
      sql`SELECT s.id, s.origins FROM site_domain d JOIN site s ON s.id = d.site_id WHERE d.domain = ${domain}`,
    )
    const origin = `${host}:${Number(port)}`
    await allowOrigin(deps, origin)
    const saved = await saveSite(deps, { ...input.data, id: have?.id, groupId: GROUP }, SYSTEM)
    const old = (have?.origins ?? []).map((o) => `${o.host}:${o.httpPort}`).filter((o) => o !== origin)
    if (old.length > 0) await forbidOrigins(deps, old)
    const shown = await row<{ cname: string }>(
      deps.db,
      sql`SELECT s.slug || '.' || g.cname_zone AS cname FROM site s JOIN node_group g ON g.id = s.group_id WHERE s.id = ${saved.id}`,
    )
    print(JSON.stringify({ siteId: saved.id, domain, cname: shown?.cname ?? '', created: have === undefined }))
    return 0
  }

const allowOrigin = (deps: SiteModuleDeps, origin: string) =>
  deps.withConfigChange({ reason: 'settings', subject: origin, by: SYSTEM.name }, async (tx, touch) => {
    const changed = await row(
      tx,
      sql`UPDATE node_group SET allowed_private_origins = array_append(allowed_private_origins, ${origin})
          WHERE id = ${GROUP} AND NOT ${origin} = ANY (allowed_private_origins) RETURNING id`,
    )
    if (!changed) return
    touch(groupScope(GROUP), 'settings', SETTINGS_KEY)
    await audit(tx, SYSTEM, { action: 'group.allowOrigin', target: `group ${GROUP}`, after: { origin } })
  })

/** What the demo site used before is no longer allowed, unless another site of the group uses it. */
const forbidOrigins = (deps: SiteModuleDeps, origins: string[]) =>
  deps.withConfigChange({ reason: 'settings', subject: origins.join(' '), by: SYSTEM.name }, async (tx, touch) => {
    const list = sql`${sql.param(origins)}::text[]`
    const changed = await row<{ gone: string[] }>(
      tx,
      sql`WITH old AS (
            SELECT a FROM node_group g, unnest(g.allowed_private_origins) a WHERE g.id = ${GROUP} AND a = ANY (${list})
              AND NOT EXISTS (SELECT FROM site s, jsonb_array_elements(s.origins) o WHERE s.group_id = ${GROUP}
                AND a IN ((o->>'host') || ':' || (o->>'httpPort'), (o->>'host') || ':' || (o->>'httpsPort'))))
          UPDATE node_group SET allowed_private_origins =
              ARRAY(SELECT a FROM unnest(allowed_private_origins) a WHERE a NOT IN (SELECT a FROM old))
          WHERE id = ${GROUP} AND EXISTS (SELECT FROM old) RETURNING ARRAY(SELECT a FROM old) AS gone`,
    )
    if (!changed) return
    touch(groupScope(GROUP), 'settings', SETTINGS_KEY)
    await audit(tx, SYSTEM, {
      action: 'group.forbidOrigin',
      target: `group ${GROUP}`,
      before: { origins: changed.gone },
    })
  })
