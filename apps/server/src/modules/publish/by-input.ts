/** push.byInput: publishes again what is typed in by number. */
import { errorText, fieldText } from '@tidegate/contract/errors'
import type { ResourceKind } from '@tidegate/contract/node/config'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import type { PushInputResult, PushInputType } from '@tidegate/contract/operations/push'
import { type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import { groupScope } from '../../platform/config-change.ts'
import type { Queryable } from '../../platform/db.ts'
import { rows } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import type { PushOperationDeps } from './operations.ts'
import { everythingToPush } from './resync.ts'

interface Found {
  id: number
  name: string
  /** Service groups whose nodes have it. */
  groups: number[]
  /** Certificate of a site. */
  certId: number | null
  /** A node that is revoked or never came gets nothing. */
  gone: boolean
}

const QUERIES: Record<PushInputType, (ids: number[]) => SQL> = {
  site: (ids) => sql`SELECT id, domains[1] AS name, ARRAY[group_id] AS groups, cert_id AS "certId", false AS gone
    FROM site WHERE id = ANY(${sql.param(ids)}::bigint[])`,
  node: (ids) => sql`SELECT id, name, ARRAY[group_id] AS groups, NULL AS "certId",
      revoked_at IS NOT NULL OR enrolled_at IS NULL AS gone
    FROM node WHERE id = ANY(${sql.param(ids)}::bigint[])`,
  certificate: (ids) => sql`SELECT c.id, COALESCE(c.names[1], '') AS name, NULL AS "certId", false AS gone,
      ARRAY(SELECT DISTINCT s.group_id FROM site s WHERE s.cert_id = c.id ORDER BY 1) AS groups
    FROM cert c WHERE c.id = ANY(${sql.param(ids)}::bigint[])`,
}

const findAll = async (on: Queryable, type: PushInputType, ids: number[]): Promise<Map<number, Found>> => {
  const found = await rows<Found & { groups: (number | string)[] }>(on, QUERIES[type](ids))
  return new Map(found.map((one) => [Number(one.id), { ...one, groups: one.groups.map(Number) }]))
}

/** `kind key` of what is published again for one thing, by scope. */
const touchesOf = (type: PushInputType, one: Found, ofScope: ReadonlyMap<string, string[]>): Map<string, string[]> => {
  const names = (scope: string): string[] => {
    if (type === 'node') return ofScope.get(scope) ?? []
    if (type === 'certificate') return [`cert ${one.id}`]
    return [`site ${one.id}`, ...(one.certId === null ? [] : [`cert ${one.certId}`])]
  }
  return new Map(one.groups.map((group) => [groupScope(group), names(groupScope(group))]))
}

const faultOf = (type: PushInputType, one: Found | undefined, { lang }: Caller): string => {
  if (!one) return errorText('not_found', lang)
  if (one.gone) return fieldText('node_absent', lang)
  return type === 'certificate' && one.groups.length === 0 ? fieldText('cert_unused', lang) : ''
}

export const pushByInput = async (
  deps: PushOperationDeps,
  { type, ids }: InputOf<'push.byInput'>,
  caller: Caller,
): Promise<OutputOf<'push.byInput'>> => {
  const found = await findAll(deps.db, type, ids)
  const results = ids.map((id) => ({ id, one: found.get(id), error: faultOf(type, found.get(id), caller) }))
  const good = results.flatMap(({ one, error }) => (one && error === '' ? [one] : []))
  const ofScope = new Map<string, string[]>()
  if (type === 'node')
    for (const group of new Set(good.flatMap(({ groups }) => groups)))
      ofScope.set(groupScope(group), await everythingToPush(deps.publish, groupScope(group)))
  const [first] = good
  const subject = first ? `${first.name}${good.length > 1 ? ` +${good.length - 1}` : ''}` : ''
  const meta = { reason: 'push', subject, by: caller.name } as const
  const { push } = await deps.withConfigChange(meta, async (tx, touch) => {
    for (const one of good)
      for (const [scope, names] of touchesOf(type, one, ofScope))
        for (const name of names) {
          const space = name.indexOf(' ')
          touch(scope, name.slice(0, space) as ResourceKind, name.slice(space + 1))
        }
    await audit(tx, caller, {
      action: 'push.byInput',
      target: `${type} ${ids.join(', ')}`.slice(0, 255),
      after: { type, ids: good.map(({ id }) => id) },
    })
  })
  const data = results.map(({ id, one, error }): PushInputResult => {
    const scopes = new Set((one?.groups ?? []).map(groupScope))
    const own = error === '' ? push.filter(({ scope }) => scopes.has(scope)) : []
    return { id, name: one?.name ?? '', ok: error === '', error, push: own }
  })
  return { data, push }
}
