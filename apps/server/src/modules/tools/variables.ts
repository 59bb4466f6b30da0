/** variable.*: what there is, what it is set to and since when, what became of it on nodes; changing it. */

import { COUNT_CAP } from '@tidegate/contract/limits'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import type { VariableRow } from '@tidegate/contract/operations/tools'
import {
  tunableOf,
  VARIABLE_KEYS,
  type VariableKey,
  type VariableValue,
  variableKind,
} from '@tidegate/contract/runtime-variables'
import { SETTINGS_KEY } from '@tidegate/node-config/compile'
import { sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import { groupScope, type Touch, type WithConfigChange } from '../../platform/config-change.ts'
import type { Db, Queryable, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { contains, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import type { VariableStore } from './variable-store.ts'

export interface VariableDeps {
  db: Db
  withConfigChange: WithConfigChange
  variables: VariableStore
}

const LOCK = 7_413_400

interface Last {
  key: VariableKey
  by: string
  at: string
  push: { scope: string; revision: number }[]
  nodes: number
  done: number
}

/** The last change of each variable, and how many nodes run the settings that it made. */
const lastChanges = async (on: Queryable): Promise<Map<VariableKey, Last>> => {
  const found = await rows<Last>(
    on,
    sql`SELECT c.key, c.by_name AS by, c.changed_at AS at, p.push, p.nodes, p.done
      FROM (SELECT DISTINCT ON (key) key, by_name, changed_at, change FROM runtime_variable_change ORDER BY key, id DESC) c
      LEFT JOIN LATERAL (
        SELECT COALESCE(jsonb_agg(DISTINCT jsonb_build_object('scope', r.scope, 'revision', r.revision)), '[]') AS push,
          count(n.node_id)::int AS nodes,
          count(n.node_id) FILTER (WHERE n.applied >= r.revision AND NOT n.refused_now ? ${`settings ${SETTINGS_KEY}`})::int AS done
        FROM config_revision r LEFT JOIN node_push n ON n.scope = r.scope AND NOT n.revoked
        WHERE r.change = c.change) p ON true`,
  )
  return new Map(found.map((one) => [one.key, one]))
}

const present = (
  key: VariableKey,
  stored: ReadonlyMap<VariableKey, VariableValue>,
  last: ReadonlyMap<VariableKey, Last>,
  variables: VariableStore,
): VariableRow => {
  const kind = variableKind(key)
  const change = last.get(key)
  const number = kind.type === 'number' ? kind : null
  return {
    key,
    ...{ scope: kind.scope, title: kind.title, about: kind.about, type: kind.type },
    unit: number?.unit ?? '',
    min: number?.min ?? null,
    max: number?.max ?? null,
    choices: kind.type === 'choice' ? [...kind.choices] : [],
    value: stored.get(key) ?? variables.defaultOf(key),
    default: variables.defaultOf(key),
    set: stored.has(key),
    changedTime: iso(change?.at),
    changedBy: change?.by ?? '',
    applied: kind.scope === 'nodes' && change ? { nodes: change.nodes, done: change.done } : null,
    push: change?.push ?? [],
  }
}

const listVariables = async (on: Queryable, variables: VariableStore): Promise<VariableRow[]> => {
  const [stored, last] = [await variables.stored(on), await lastChanges(on)]
  return VARIABLE_KEYS.map((key) => present(key, stored, last, variables))
}

const listChanges = async (db: Db, input: InputOf<'variable.history'>): Promise<OutputOf<'variable.history'>> => {
  const parts = [sql`key = ANY(${sql.param([...VARIABLE_KEYS])}::text[])`]
  if (input.variable !== undefined) parts.push(sql`key = ${input.variable}`)
  if (input.key) parts.push(sql`(key ILIKE ${contains(input.key)} OR by_name ILIKE ${contains(input.key)})`)
  const where = sql.join(parts, sql` AND `)
  const total = await row<{ n: number }>(
    db,
    sql`SELECT count(*)::int AS n FROM (SELECT FROM runtime_variable_change WHERE ${where} LIMIT ${COUNT_CAP}) x`,
  )
  const found = await rows<{
    id: number
    key: VariableKey
    before: VariableValue
    after: VariableValue
    reset: boolean
    by: string
    time: string
  }>(
    db,
    sql`SELECT id, key, before, after, reset, by_name AS by, changed_at AS time FROM runtime_variable_change WHERE ${where}
      ORDER BY id ${input.order === 'asc' ? sql`ASC` : sql`DESC`} LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )
  const list = found.map((change) => {
    const kind = variableKind(change.key)
    const unit = kind.type === 'number' ? kind.unit : ('' as const)
    return { ...change, title: kind.title, unit, time: iso(change.time) }
  })
  return page(input, total?.n ?? 0, list)
}

/** Nodes get a group's tunables with its settings. */
const touchNodes = async (tx: Tx, touch: Touch): Promise<void> => {
  for (const { id } of await rows<{ id: number }>(tx, sql`SELECT id FROM node_group ORDER BY id`))
    touch(groupScope(id), 'settings', SETTINGS_KEY)
}

const change = async (
  { variables }: VariableDeps,
  tx: Tx,
  touch: Touch,
  { key, value, reset }: InputOf<'variable.update'>,
  caller: Caller,
): Promise<void> => {
  // One change of a variable at a time: each knows what it took the place of.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK}, hashtext(${key}))`)
  const stored = await variables.stored(tx)
  const before = stored.get(key) ?? variables.defaultOf(key)
  const after = reset || value === undefined ? variables.defaultOf(key) : value
  if (reset ? !stored.has(key) : stored.has(key) && before === after) return
  if (reset) await tx.execute(sql`DELETE FROM runtime_variable WHERE key = ${key}`)
  else
    await tx.execute(sql`INSERT INTO runtime_variable (key, value) VALUES (${key}, ${JSON.stringify(after)}::jsonb)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`)
  await tx.execute(sql`INSERT INTO runtime_variable_change (key, before, after, reset, by_name, changed_at)
    VALUES (${key}, ${JSON.stringify(before)}::jsonb, ${JSON.stringify(after)}::jsonb, ${reset}, ${caller.name}, clock_timestamp())`)
  await audit(tx, caller, {
    action: 'variable.update',
    target: `variable ${key}`,
    before: { value: before },
    after: { value: after, ...(reset && { reset: true }) },
  })
  await tx.execute(sql`SELECT pg_notify('variable_changed', ${key})`)
  if (tunableOf(key) !== null) await touchNodes(tx, touch)
}

const isOwner = (caller: Caller) => caller.superAdmin && !caller.apiKey && caller.acting === null

export const variableHandlers = (
  deps: VariableDeps,
): Handlers<'variable.list' | 'variable.history' | 'variable.update'> => ({
  'variable.list': async (_input, caller) => ({
    data: { list: await listVariables(deps.db, deps.variables), mayChange: isOwner(caller) },
  }),
  'variable.history': (input) => listChanges(deps.db, input),
  'variable.update': async (input, caller) => {
    if (!isOwner(caller)) throw new AppError('forbidden')
    const meta = { reason: 'settings', subject: input.key, by: caller.name } as const
    await deps.withConfigChange(meta, (tx, touch) => change(deps, tx, touch, input, caller))
    await deps.variables.load()
    const row = (await listVariables(deps.db, deps.variables)).find(({ key }) => key === input.key)
    if (!row) throw new AppError('not_found')
    return { data: row }
  },
})
