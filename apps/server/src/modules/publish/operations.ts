/** push.*: what is on its way to which node, and pushing again. */

import type { ResourceKind } from '@tidegate/contract/node/config'
import { sql } from 'drizzle-orm'
import type { Bus } from '../../platform/bus.ts'
import type { Caller, Handlers } from '../../platform/caller.ts'
import { groupScope, type PushRef, type WithConfigChange } from '../../platform/config-change.ts'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { reachable } from '../../platform/owner.ts'
import { rows } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { pushByInput } from './by-input.ts'
import { pushCounts, readProgress } from './feedback.ts'
import { listPushes, onePush } from './list.ts'
import { seen, viewOf } from './own-view.ts'
import type { PublishDeps } from './publish-scope.ts'
import { allScopes, everythingToPush } from './resync.ts'
import { watchPush } from './watch.ts'

export interface PushOperationDeps {
  db: Db
  bus: Bus
  publish: PublishDeps
  withConfigChange: WithConfigChange
}

export const pushHandlers = (
  deps: PushOperationDeps,
): Handlers<
  'push.list' | 'push.feedback' | 'push.watch' | 'push.site' | 'push.all' | 'push.byInput' | 'push.status' | 'push.run'
> => ({
  'push.list': (input) => listPushes(deps.db, input),
  'push.feedback': async (ref, caller) => {
    const see = await viewOf(deps.db, ref, caller)
    const [push, progress] = await Promise.all([onePush(deps.db, ref), readProgress(deps.db, ref)])
    if (!push || !progress) throw new AppError('not_found')
    return { data: { ...push, state: progress.state, feedback: see(progress.feedback) } }
  },
  'push.watch': async (ref, caller, signal) => {
    const see = await viewOf(deps.db, ref, caller)
    return seen(await watchPush(deps.db, deps.bus, ref, signal), see)
  },
  'push.site': async ({ id, ids }, caller) => ({
    push: await pushSites(deps, ids ?? (id === undefined ? [] : [id]), caller),
  }),
  'push.all': async (_input, caller) => ({ push: await pushAll(deps, caller) }),
  'push.byInput': (input, caller) => pushByInput(deps, input, caller),
  'push.status': () => pushCounts(deps.db),
  'push.run': async (_input, caller) => {
    await deps.db.transaction(async (tx) => {
      await audit(tx, caller, { action: 'push.run', target: 'all' })
      await tx.execute(sql`SELECT pg_notify('config_pending', s.scope), pg_notify('config_published', p.scope || ' ' || p.published)
        FROM config_scope s LEFT JOIN config_published p USING (scope)`)
    })
    return { task_size: (await pushCounts(deps.db)).task_size }
  },
})

/** Publishes sites, and the certificates they use, once more: nodes get them again even where nothing changed. */
const pushSites = async (deps: PushOperationDeps, ids: number[], caller: Caller): Promise<PushRef[]> => {
  const meta = { reason: 'push', subject: '', by: caller.name } as const
  const sites = await rows<{ id: number; groupId: number; certId: number | null; domain: string }>(
    deps.db,
    sql`SELECT id, group_id AS "groupId", cert_id AS "certId", domains[1] AS domain FROM site
        WHERE id = ANY(${sql.param(ids)}::bigint[]) AND ${reachable(caller, sql`user_id`)}`,
  )
  if (sites.length < new Set(ids).size) throw new AppError('not_found')
  const subject = sites[0] ? `${sites[0].domain}${sites.length > 1 ? ` +${sites.length - 1}` : ''}` : ''
  const { push } = await deps.withConfigChange({ ...meta, subject }, async (tx, touch) => {
    for (const site of sites) {
      touch(groupScope(site.groupId), 'site', String(site.id))
      if (site.certId !== null) touch(groupScope(site.groupId), 'cert', String(site.certId))
      await audit(tx, caller, { action: 'push.site', target: `site ${site.id}` })
    }
  })
  return push
}

const pushAll = async (deps: PushOperationDeps, caller: Caller): Promise<PushRef[]> => {
  const scopes = await allScopes(deps.publish)
  const names = new Map<string, string[]>()
  for (const scope of scopes) names.set(scope, await everythingToPush(deps.publish, scope))
  const { push } = await deps.withConfigChange({ reason: 'push', subject: '*', by: caller.name }, async (tx, touch) => {
    for (const [scope, list] of names)
      for (const name of list) {
        const space = name.indexOf(' ')
        touch(scope, name.slice(0, space) as ResourceKind, name.slice(space + 1))
      }
    await audit(tx, caller, { action: 'push.all', target: 'all', after: { scopes } })
  })
  return push
}
