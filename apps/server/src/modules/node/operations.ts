/** node.* */
import { COUNT_CAP } from '@tidegate/contract/limits'
import type { InputOf } from '@tidegate/contract/operations/index'
import { sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Db, Queryable, Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { columnOf, contains, page } from '../../platform/page.ts'
import { iso, row, rows, sqlState } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { ensureNode, issueToken } from './enrol.ts'
import { type NodeRecord, presentNode, SELECT_NODE, STATE } from './present.ts'

export interface NodeOperationDeps {
  db: Db
  /** The command that a person types on the new server. */
  installCommand(token: string): Promise<string>
}

export type NodeIds = 'node.list' | 'node.info' | 'node.save' | 'node.enrollToken' | 'node.revoke' | 'node.delete'

export const nodeHandlers = (deps: NodeOperationDeps): Handlers<NodeIds> => ({
  'node.list': (input) => listNodes(deps.db, input),
  'node.info': async ({ id }) => {
    const node = await row<NodeRecord>(deps.db, sql`${SELECT_NODE} WHERE n.id = ${id}`)
    if (!node) throw new AppError('not_found')
    return { data: presentNode(node) }
  },
  'node.save': (input, caller) => deps.db.transaction((tx) => saveNode(tx, input, caller)),
  'node.enrollToken': async ({ name, groupId }, caller) => {
    const issued = await deps.db.transaction(async (tx) => {
      if (!(await row(tx, sql`SELECT id FROM node_group WHERE id = ${groupId}`))) throw fieldError('groupId', 'invalid')
      const node = await ensureNode(tx, name, groupId)
      if (node.enrolled) throw new AppError('name_taken', { params: { name } })
      const { token, expires } = await issueToken(tx, caller, node.id, groupId)
      // Here, so that an installation that has nothing to install is left as it was.
      return { token, expires, command: await deps.installCommand(token) }
    })
    return { data: { ...issued, expires: iso(issued.expires) } }
  },
  'node.revoke': async ({ id }, caller) => {
    await deps.db.transaction((tx) => revokeNode(tx, id, caller))
    return {}
  },
  'node.delete': async ({ ids }, caller) => {
    await deps.db.transaction((tx) => deleteNodes(tx, ids, caller))
    return {}
  },
})

const ORDERS = { id: sql`n.id`, name: sql`n.name`, lastSeen: sql`n.last_seen`, state: STATE }

export const listNodes = async (db: Queryable, input: InputOf<'node.list'>) => {
  const parts = [sql`true`]
  if (input.groupId !== undefined) parts.push(sql`n.group_id = ${input.groupId}`)
  if (input.state !== undefined) parts.push(sql`${STATE} = ${input.state}`)
  if (input.key) {
    const pattern = contains(input.key)
    parts.push(sql`(n.name ILIKE ${pattern} OR n.address ILIKE ${pattern} OR n.hostname ILIKE ${pattern})`)
  }
  const where = sql.join(parts, sql` AND `)
  const order = columnOf(ORDERS, input.sidx, ORDERS.id)
  const direction = input.order === 'desc' ? sql`DESC NULLS LAST` : sql`ASC NULLS LAST`
  const count = await row<{ n: number }>(
    db,
    sql`SELECT count(*) AS n FROM (SELECT FROM node n WHERE ${where} LIMIT ${COUNT_CAP}) x`,
  )
  const list = await rows<NodeRecord>(
    db,
    sql`${SELECT_NODE} WHERE ${where} ORDER BY ${order} ${direction}, n.id LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )
  return page(input, count?.n ?? 0, list.map(presentNode))
}

interface NodeText {
  name: string
  address: string
  remark: string
}

const saveNode = async (tx: Tx, { id, name, address, remark }: InputOf<'node.save'>, caller: Caller) => {
  const before = await row<NodeText>(tx, sql`SELECT name, address, remark FROM node WHERE id = ${id} FOR UPDATE`)
  if (!before) throw new AppError('not_found')
  try {
    await tx.execute(sql`UPDATE node SET name = ${name}, address = ${address}, remark = ${remark} WHERE id = ${id}`)
  } catch (error) {
    if (sqlState(error) === '23505') throw new AppError('name_taken', { params: { name } })
    throw error
  }
  await audit(tx, caller, { action: 'node.save', target: `node ${id}`, before, after: { name, address, remark } })
  return { id }
}

/** At once: its streams are closed and every request of it is refused. Pushes no longer wait for it. */
const revokeNode = async (tx: Tx, id: number, caller: Caller) => {
  const before = await row<{ name: string; revoked: boolean }>(
    tx,
    sql`SELECT name, revoked_at IS NOT NULL AS revoked FROM node WHERE id = ${id} FOR UPDATE`,
  )
  if (!before) throw new AppError('not_found')
  if (before.revoked) return
  await tx.execute(sql`UPDATE node SET revoked_at = now() WHERE id = ${id}`)
  await tx.execute(sql`UPDATE node_push SET revoked = true WHERE node_id = ${id}`)
  await tx.execute(sql`DELETE FROM enroll_token WHERE node_id = ${id} AND used_at IS NULL`)
  await tx.execute(sql`SELECT pg_notify('node_revoked', ${String(id)})`)
  await audit(tx, caller, { action: 'node.revoke', target: `node ${id}`, before })
}

const deleteNodes = async (tx: Tx, ids: number[], caller: Caller) => {
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const node = await row<NodeText & { live: boolean }>(
      tx,
      sql`SELECT name, address, remark, enrolled_at IS NOT NULL AND revoked_at IS NULL AS live FROM node WHERE id = ${id} FOR UPDATE`,
    )
    if (!node) throw new AppError('not_found')
    if (node.live) throw new AppError('in_use')
    await tx.execute(sql`DELETE FROM node WHERE id = ${id}`)
    await tx.execute(sql`SELECT pg_notify('node_revoked', ${String(id)})`)
    await audit(tx, caller, { action: 'node.delete', target: `node ${id}`, before: node })
  }
}
