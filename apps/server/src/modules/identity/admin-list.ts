/** Lists of administrators, and what an account can be given. */
import { CONSOLES, MENU_TYPES } from '@tidegate/contract/enums'
import { COUNT_CAP } from '@tidegate/contract/limits'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import { type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import { columnOf, contains, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'
import { reaches } from './rights.ts'

export interface AdminState {
  id: number
  username: string
  enabled: boolean
  superAdmin: boolean
  roles: { id: number; name: string }[]
  permissions: string[]
  unvalidModel: string[]
  lastLogin: Date | null
  lastLoginIp: string
  createTime: Date
  passwordTime: Date
}

const SELECT = sql`
  SELECT a.id, a.username, a.enabled, a.unvalid_model AS "unvalidModel", a.last_login_at AS "lastLogin",
    a.last_login_ip AS "lastLoginIp", a.created_at AS "createTime", a.password_at AS "passwordTime",
    coalesce((SELECT bool_or(r.is_super) FROM admin_role ar JOIN role r ON r.id = ar.role_id WHERE ar.admin_id = a.id), false)
      AS "superAdmin",
    coalesce((SELECT jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) ORDER BY r.name)
      FROM admin_role ar JOIN role r ON r.id = ar.role_id WHERE ar.admin_id = a.id), '[]') AS roles,
    ARRAY(SELECT DISTINCT rp.permission FROM admin_role ar JOIN role_permission rp ON rp.role_id = ar.role_id
      WHERE ar.admin_id = a.id) AS permissions
  FROM admin a`

const ORDERS: Record<string, SQL> = {
  username: sql`lower(a.username)`,
  lastLogin: sql`coalesce(a.last_login_at, 'epoch')`,
  createTime: sql`a.created_at`,
}

const present = ({ permissions, ...admin }: AdminState, caller: Caller) => ({
  ...admin,
  lastLogin: iso(admin.lastLogin),
  createTime: iso(admin.createTime),
  passwordTime: iso(admin.passwordTime),
  own: admin.id === caller.id,
  manageable: reaches(caller, { superAdmin: admin.superAdmin, permissions }),
})

/** Those of `ids` that exist. */
export const adminStates = (on: Queryable, ids: readonly number[]): Promise<AdminState[]> =>
  rows<AdminState>(on, sql`${SELECT} WHERE a.id = ANY (${sql.param(ids)}::bigint[]) ORDER BY a.id`)

export const listAdmins = async (on: Queryable, input: InputOf<'admin.list'>, caller: Caller) => {
  const parts: SQL[] = [sql`true`]
  if (input.key !== undefined) parts.push(sql`a.username ILIKE ${contains(input.key.trim())}`)
  if (input.enabled !== undefined) parts.push(sql`a.enabled = ${input.enabled}`)
  if (input.roleId !== undefined)
    parts.push(sql`EXISTS (SELECT FROM admin_role ar WHERE ar.admin_id = a.id AND ar.role_id = ${input.roleId})`)
  const where = sql.join(parts, sql` AND `)
  const direction = input.order === 'desc' ? sql`DESC` : sql`ASC`
  const order = columnOf(ORDERS, input.sidx, sql`lower(a.username)`)
  const count = await row<{ n: number }>(
    on,
    sql`SELECT count(*) AS n FROM (SELECT FROM admin a WHERE ${where} LIMIT ${COUNT_CAP}) x`,
  )
  const list = await rows<AdminState>(
    on,
    sql`${SELECT} WHERE ${where} ORDER BY ${order} ${direction}, a.id LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )
  return page(
    input,
    count?.n ?? 0,
    list.map((admin) => present(admin, caller)),
  )
}

type Options = OutputOf<'admin.options'>['data']
const ADMIN_CONSOLES = CONSOLES.filter((c) => c.endsWith('admin'))

export const adminOptions = async (db: Db, caller: Caller): Promise<{ data: Options }> => {
  const found = await rows<Omit<Options['roles'][number], 'grantable'> & { permissions: string[] }>(
    db,
    sql`SELECT r.id, r.name, r.description, r.is_super AS "superRole",
          ARRAY(SELECT rp.permission FROM role_permission rp WHERE rp.role_id = r.id) AS permissions
        FROM role r ORDER BY r.is_super DESC, r.name`,
  )
  const screens = await rows<Options['screens'][number]>(
    db,
    sql`SELECT id AS "menuId", parent_id AS "parentId", url, type, meta -> 'title' AS title FROM menu
        WHERE enabled AND type <> ${MENU_TYPES.action} AND consoles && ${sql.param(ADMIN_CONSOLES)}::text[] ORDER BY sort, id`,
  )
  return {
    data: {
      screens,
      roles: found.map(({ permissions, ...role }) => ({
        ...role,
        grantable: reaches(caller, { superAdmin: role.superRole, permissions }),
      })),
    },
  }
}
