/** What is done to sites that exist: enable, disable, delete, back to an older version. */
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { PushRef, Touch } from '../../platform/config-change.ts'
import type { Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import type { SiteModuleDeps } from './index.ts'
import { answer, check, checkDomains } from './save.ts'
import { addVersion, lockSite, replaceDomains, type SiteData, type StoredSite, touchSite, updateSite } from './store.ts'

/** Locks all sites in the order of their ids; throws `not_found` unless all are there. */
const lockAll = async (tx: Tx, ids: number[], caller: Caller): Promise<StoredSite[]> => {
  const sites: StoredSite[] = []
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const site = await lockSite(tx, id, caller)
    if (!site) throw new AppError('not_found')
    sites.push(site)
  }
  return sites
}

/** For people: the first domain, and how many more sites. The ids stand in where nothing is known yet. */
const subjectOf = async (deps: SiteModuleDeps, ids: number[]): Promise<string> => {
  const first = await row<{ domain: string }>(
    deps.db,
    sql`SELECT domains[1] AS domain FROM site WHERE id = ${ids[0] ?? 0}`,
  )
  const more = new Set(ids).size - 1
  return `${first?.domain ?? ''}${more > 0 ? ` +${more}` : ''}`
}

const changeSites = async (
  deps: SiteModuleDeps,
  ids: number[],
  caller: Caller,
  work: (tx: Tx, touch: Touch, site: StoredSite) => Promise<void>,
): Promise<PushRef[]> => {
  const meta = { reason: 'site', subject: await subjectOf(deps, ids), by: caller.name } as const
  const { push } = await deps.withConfigChange(meta, async (tx, touch) => {
    for (const site of await lockAll(tx, ids, caller)) await work(tx, touch, site)
  })
  return push
}

export const enableSites = (deps: SiteModuleDeps, ids: number[], enabled: boolean, caller: Caller) =>
  changeSites(deps, ids, caller, async (tx, touch, site) => {
    if (site.enabled === enabled) return
    const after = await updateSite(tx, { ...site, enabled })
    await addVersion(tx, after, enabled ? 'enable' : 'disable', caller.name)
    await touchSite(tx, touch, after, false)
    await audit(tx, caller, {
      action: 'site.enable',
      target: `site ${site.id}`,
      before: { enabled: site.enabled },
      after: { enabled },
    })
  })

export const deleteSites = (deps: SiteModuleDeps, ids: number[], caller: Caller) =>
  changeSites(deps, ids, caller, async (tx, touch, site) => {
    await touchSite(tx, touch, site, true)
    await tx.execute(sql`DELETE FROM site WHERE id = ${site.id}`)
    await audit(tx, caller, { action: 'site.delete', target: `site ${site.id}`, before: site })
  })

/** An old version becomes the next one. The site stays in its group, on or off as it is now; a certificate that is gone is a field error. */
export const rollbackSite = async (deps: SiteModuleDeps, id: number, version: number, caller: Caller) => {
  const meta = { reason: 'rollback', subject: await subjectOf(deps, [id]), by: caller.name } as const
  const { result, push } = await deps.withConfigChange(meta, async (tx, touch) => {
    const before = await lockSite(tx, id, caller)
    const old = await row<{ input: SiteData }>(
      tx,
      sql`SELECT input FROM site_version WHERE site_id = ${id} AND version = ${version}`,
    )
    if (!before || !old) throw new AppError('not_found')
    const { groupId, enabled, userId } = before
    const data = { ...old.input, groupId, enabled, userId }
    await check(deps, tx, data, caller)
    await checkDomains(deps, tx, caller, data.domains, before.domains)
    const after = await updateSite(tx, { ...data, id, version: before.version })
    await replaceDomains(tx, id, after.domains)
    await touchSite(tx, touch, before, false)
    await touchSite(tx, touch, after, false)
    await addVersion(tx, after, 'rollback', caller.name)
    await audit(tx, caller, {
      action: 'site.rollback',
      target: `site ${id}`,
      before,
      after: { ...after, from: version },
    })
    return after
  })
  return answer(result, push)
}
