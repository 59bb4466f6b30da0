/** group.*: service groups and the settings that all their nodes share. */
import { COUNT_CAP } from '@tidegate/contract/limits'
import type { InputOf } from '@tidegate/contract/operations/index'
import { SETTINGS_KEY } from '@tidegate/node-config/compile'
import { sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import { groupScope, type WithConfigChange } from '../../platform/config-change.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { contains, page } from '../../platform/page.ts'
import { row, rows, sqlState } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'

export interface GroupOperationDeps {
  db: Db
  withConfigChange: WithConfigChange
}

export const groupHandlers = (deps: GroupOperationDeps): Handlers<'group.list' | 'group.save'> => ({
  'group.list': (input) => listGroups(deps.db, input),
  'group.save': (input, caller) => saveGroup(deps, input, caller),
})

interface GroupData {
  name: string
  cnameZone: string
  allowedPrivateOrigins: string[]
  cacheMaxMb: number
  remark: string
}
interface GroupRecord extends GroupData {
  id: number
  nodes: number
  sites: number
}

const COLUMNS = sql`g.name, g.cname_zone AS "cnameZone", g.allowed_private_origins AS "allowedPrivateOrigins",
  g.cache_max_mb AS "cacheMaxMb", g.remark`

/** `sites` is counted up to COUNT_CAP. */
const listGroups = async (db: Db, input: InputOf<'group.list'>) => {
  const where = input.key ? sql`g.name ILIKE ${contains(input.key)}` : sql`true`
  const count = await row<{ n: number }>(db, sql`SELECT count(*) AS n FROM node_group g WHERE ${where}`)
  const list = await rows<GroupRecord>(
    db,
    sql`SELECT g.id, ${COLUMNS},
          (SELECT count(*) FROM node n WHERE n.group_id = g.id AND n.enrolled_at IS NOT NULL AND n.revoked_at IS NULL) AS nodes,
          (SELECT count(*) FROM (SELECT FROM site s WHERE s.group_id = g.id LIMIT ${COUNT_CAP}) x) AS sites
        FROM node_group g WHERE ${where} ORDER BY g.id LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )
  return page(input, count?.n ?? 0, list)
}

/** Throws `not_found`, `name_taken`. */
const saveGroup = async (deps: GroupOperationDeps, { id, ...input }: InputOf<'group.save'>, caller: Caller) => {
  const named = await row<{ name: string }>(deps.db, sql`SELECT name FROM node_group WHERE id = ${id}`)
  if (!named) throw new AppError('not_found')
  const meta = { reason: 'settings', subject: input.name ?? named.name, by: caller.name } as const
  const { push } = await deps.withConfigChange(meta, async (tx, touch) => {
    const before = await row<GroupData>(tx, sql`SELECT ${COLUMNS} FROM node_group g WHERE id = ${id} FOR UPDATE`)
    if (!before) throw new AppError('not_found')
    const after = merge(before, input)
    await updateGroup(tx, id, after)
    touch(groupScope(id), 'settings', SETTINGS_KEY)
    await audit(tx, caller, { action: 'group.save', target: `group ${id}`, before, after })
  })
  const [own] = push
  if (!own) throw new Error('a group was saved without a revision')
  return { id, push: own }
}

/** What the input leaves out stays. */
const merge = (before: GroupData, input: Omit<InputOf<'group.save'>, 'id'>): GroupData => ({
  name: input.name ?? before.name,
  cnameZone: input.cnameZone ?? before.cnameZone,
  allowedPrivateOrigins: [...new Set(input.allowedPrivateOrigins ?? before.allowedPrivateOrigins)],
  cacheMaxMb: input.cacheMaxMb ?? before.cacheMaxMb,
  remark: input.remark ?? before.remark,
})

const updateGroup = async (tx: Tx, id: number, group: GroupData): Promise<void> => {
  try {
    await tx.execute(sql`UPDATE node_group SET name = ${group.name}, cname_zone = ${group.cnameZone},
      allowed_private_origins = ${sql.param(group.allowedPrivateOrigins)}::text[], cache_max_mb = ${group.cacheMaxMb},
      remark = ${group.remark} WHERE id = ${id}`)
  } catch (error) {
    if (sqlState(error) === '23505') throw new AppError('name_taken', { params: { name: group.name } })
    throw error
  }
}
