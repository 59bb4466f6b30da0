/** site.save: what was typed, merged into what is stored, checked against what only the server knows. */
import { randomInt } from 'node:crypto'
import { ORIGIN_DEFAULT_PORTS } from '@tidegate/contract/enums'
import type { OriginServer } from '@tidegate/contract/node/config'
import { type SiteIn, siteSettings } from '@tidegate/contract/operations/site'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Tx } from '../../platform/db.ts'
import { AppError, type FieldFault, fieldError } from '../../platform/errors.ts'
import { ownerOf, reachable } from '../../platform/owner.ts'
import { isPrivateHost } from '../../platform/private-address.ts'
import { row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import type { SiteModuleDeps } from './index.ts'
import { isAllowed, portsInUse } from './origin-address.ts'
import {
  addVersion,
  insertSite,
  lockSite,
  replaceDomains,
  type SiteData,
  type StoredSite,
  touchSite,
  updateSite,
} from './store.ts'

const SLUG_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const DEFAULT_GROUP = 1
const [HTTP_PORT, HTTPS_PORT] = [ORIGIN_DEFAULT_PORTS.http[0], ORIGIN_DEFAULT_PORTS.https[0]]

export const saveSite = async (deps: SiteModuleDeps, input: SiteIn, caller: Caller) => {
  const meta = { reason: 'site', subject: input.domains[0] ?? '', by: caller.name } as const
  const { result, push } = await deps.withConfigChange(meta, async (tx, touch) => {
    const before = input.id === undefined ? undefined : await lockSite(tx, input.id, caller)
    if (input.id !== undefined && !before) throw new AppError('not_found')
    if (before && input.version !== undefined && input.version !== before.version) throw new AppError('conflict')
    const data = merge(input, before, caller)
    await check(deps, tx, data, caller)
    await checkDomains(deps, tx, caller, data.domains, before?.domains ?? [])
    const after = before
      ? await updateSite(tx, { ...data, id: before.id, version: before.version })
      : await insertSite(tx, makeSlug(), data)
    await replaceDomains(tx, after.id, after.domains)
    const moved = before !== undefined && before.groupId !== after.groupId
    if (before) await touchSite(tx, touch, before, moved)
    await touchSite(tx, touch, after, moved)
    await addVersion(tx, after, 'site', caller.name)
    await audit(tx, caller, { action: 'site.save', target: `site ${after.id}`, before, after })
    return after
  })
  return answer(result, push)
}

/** The push that brings the site to its own group; a move makes one more, for the group it left. */
export const answer = (site: StoredSite, push: { scope: string; revision: number }[]) => {
  const own = push.find((p) => p.scope === `group:${site.groupId}`)
  if (!own) throw new Error('a site was saved without a revision')
  return { id: site.id, push: own, version: site.version }
}

const makeSlug = () => Array.from({ length: 12 }, () => SLUG_LETTERS[randomInt(SLUG_LETTERS.length)]).join('')

/** A customer neither gives sites away nor chooses where they are served. */
const placed = (input: SiteIn, before: SiteData | undefined, caller: Caller) => {
  const kept = { userId: before?.userId ?? ownerOf(caller), groupId: before?.groupId ?? DEFAULT_GROUP }
  if (caller.kind === 'user') return kept
  return {
    userId: input.userId === undefined ? kept.userId : input.userId,
    groupId: input.groupId ?? kept.groupId,
  }
}

const merge = (input: SiteIn, before: SiteData | undefined, caller: Caller): SiteData => {
  const settings = siteSettings.parse({ ...before?.settings, ...input.settings })
  return {
    ...placed(input, before, caller),
    enabled: before?.enabled ?? true,
    domains: input.domains,
    originProtocol: input.originProtocol,
    origins: toOrigins(input),
    settings,
    certId: settings.certId,
    remark: input.remark ?? before?.remark ?? '',
  }
}

const toOrigins = ({ originProtocol, origins }: SiteIn): OriginServer[] =>
  origins.map((o, i) => {
    if (o.port !== undefined && originProtocol === 'follow') throw fieldError(`origins.${i}.port`, 'unknown_field')
    return {
      host: o.host,
      httpPort: (originProtocol === 'http' ? o.port : undefined) ?? o.httpPort ?? HTTP_PORT,
      httpsPort: (originProtocol === 'https' ? o.port : undefined) ?? o.httpsPort ?? HTTPS_PORT,
      line: o.line,
      weight: o.weight,
    }
  })

/** What the schema cannot know: group, certificate, user, addresses. Throws `invalid_input` with all faults at once. */
export const check = async (deps: SiteModuleDeps, tx: Tx, site: SiteData, caller: Caller): Promise<void> => {
  const faults: FieldFault[] = []
  const group = await row<{ allowed: string[] }>(
    tx,
    sql`SELECT allowed_private_origins AS allowed FROM node_group WHERE id = ${site.groupId} FOR SHARE`,
  )
  if (!group) faults.push({ path: 'groupId', key: 'invalid' })
  const allowed = deps.allowPrivateOrigins ? ['*'] : (group?.allowed ?? [])
  site.origins.forEach((o, i) => {
    if (isPrivateHost(o.host) && !isAllowed(allowed, o.host, portsInUse(site.originProtocol, o)))
      faults.push({ path: `origins.${i}.host`, key: 'private_origin', params: { value: o.host } })
  })
  if (site.userId !== null && !(await row(tx, sql`SELECT id FROM customer WHERE id = ${site.userId} FOR KEY SHARE`)))
    faults.push({ path: 'userId', key: 'invalid' })
  // A customer's site may keep the certificate that the operator gave it.
  const certs = sql`(${reachable(caller, sql`c.user_id`)} OR EXISTS (SELECT FROM site s WHERE s.cert_id = c.id AND s.user_id = ${site.userId}))`
  if (
    site.certId !== null &&
    !(await row(
      tx,
      sql`SELECT id FROM cert c WHERE id = ${site.certId} AND c.not_after IS NOT NULL AND ${certs} FOR SHARE`,
    ))
  )
    faults.push({ path: 'settings.certId', key: 'invalid' })
  if (faults.length > 0) throw new AppError('invalid_input', { fields: faults })
}

/** Some domains may not be added yet: what the installation asks of a customer first (specification, section 6). */
export const checkDomains = async (
  { mayAddDomains }: SiteModuleDeps,
  tx: Tx,
  caller: Caller,
  after: string[],
  before: string[],
): Promise<void> => {
  if (caller.kind === 'user' && after.some((domain) => !before.includes(domain))) await mayAddDomains(tx, caller.id)
}
