/** Lists of customers at a million rows: every order is an index, counts are capped, words are found by trigrams. */
import { CONSOLES, MENU_TYPES } from '@tidegate/contract/enums'
import { COUNT_CAP } from '@tidegate/contract/limits'
import type { CustomerInfo, CustomerRow } from '@tidegate/contract/operations/customer'
import type { InputOf, OutputOf } from '@tidegate/contract/operations/index'
import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { columnOf, contains, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'
import type { Secrets } from '../../platform/secrets.ts'

type Time = string | Date | null
export interface CustomerState
  extends Omit<CustomerInfo, 'lastLogin' | 'createTime' | 'verifyAsked' | 'verifyTime' | 'passwordTime'> {
  lastLogin: Time
  createTime: Time
  verifyAsked: Time
  verifyTime: Time
  passwordTime: Time
}

const SELECT = sql`
  SELECT c.id, c.username, c.enabled, coalesce(c.mobile, '') AS mobile, coalesce(c.email, '') AS email, coalesce(c.wechat, '') AS wechat,
    c.balance, c.verify_status AS "verifyStatus", c.real_name AS "realName", c.note, c.last_login_at AS "lastLogin",
    c.last_login_ip AS "lastLoginIp", c.created_at AS "createTime", c.white_ip_status AS "whiteIpStatus", c.white_ips AS "whiteIps",
    c.unvalid_model AS "unvalidModel", c.lang, c.id_card AS "idCard", c.verify_asked_at AS "verifyAsked", c.verified_at AS "verifyTime",
    c.verify_reason AS "verifyReason", c.password_at AS "passwordTime",
    (SELECT count(*) FROM site s WHERE s.user_id = c.id) AS sites
  FROM customer c`

/** As the index has it. */
const WORDS = sql`lower(c.username || ' ' || coalesce(c.mobile, '') || ' ' || coalesce(c.email, '') || ' ' || c.real_name)`

const BY_ID = sql`c.id`
const ORDERS: Record<string, SQL> = {
  id: BY_ID,
  username: sql`lower(c.username)`,
  balance: sql`c.balance`,
  lastLogin: sql`coalesce(c.last_login_at, '-infinity')`,
  createTime: sql`c.created_at`,
}

/** One customer, as stored; undefined when there is none. `lock`: until the transaction ends. */
export const customerState = async (on: Queryable, id: number, lock = false): Promise<CustomerState | undefined> => {
  if (lock) await on.execute(sql`SELECT FROM customer WHERE id = ${id} FOR UPDATE`)
  return row<CustomerState>(on, sql`${SELECT} WHERE c.id = ${id}`)
}

/** Few matches: their ids. Too many: the pattern, to be tested along the order's index. */
const search = async (on: Queryable, key: string): Promise<SQL | null> => {
  const text = key.trim().toLowerCase()
  if (text === '') return null
  const pattern = sql`${WORDS} LIKE ${contains(text)}`
  const hits = await rows<{ id: number }>(on, sql`SELECT c.id FROM customer c WHERE ${pattern} LIMIT ${COUNT_CAP}`)
  return hits.length >= COUNT_CAP ? pattern : sql`c.id = ANY (${sql.param(hits.map((h) => h.id))}::bigint[])`
}

const shownRow = (c: CustomerState): CustomerRow => ({
  id: c.id,
  username: c.username,
  enabled: c.enabled,
  mobile: c.mobile,
  email: c.email,
  wechat: c.wechat,
  balance: c.balance,
  verifyStatus: c.verifyStatus,
  realName: c.realName,
  note: c.note,
  sites: c.sites,
  lastLogin: iso(c.lastLogin),
  lastLoginIp: c.lastLoginIp,
  createTime: iso(c.createTime),
})

export const listCustomers = async (on: Queryable, input: InputOf<'customer.list'>) => {
  const found = input.key === undefined ? null : await search(on, input.key)
  const parts: SQL[] = [
    sql`true`,
    ...(input.enabled === undefined ? [] : [sql`c.enabled = ${input.enabled}`]),
    ...(input.verifyStatus === undefined ? [] : [sql`c.verify_status = ${input.verifyStatus}`]),
    ...(found ? [found] : []),
  ]
  const where = sql.join(parts, sql` AND `)
  const column = columnOf(ORDERS, input.sidx, BY_ID)
  const direction = input.order === 'asc' ? sql`ASC` : sql`DESC`
  const order = column === BY_ID ? sql`c.id ${direction}` : sql`${column} ${direction}, c.id ${direction}`
  const [count, list] = await Promise.all([
    row<{ n: number }>(on, sql`SELECT count(*) AS n FROM (SELECT FROM customer c WHERE ${where} LIMIT ${COUNT_CAP}) x`),
    // The page's ids first: the number of sites is counted for those alone.
    rows<CustomerState>(
      on,
      sql`WITH page AS MATERIALIZED (SELECT c.id FROM customer c WHERE ${where} ORDER BY ${order}
            LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit})
          ${SELECT} WHERE c.id IN (SELECT id FROM page) ORDER BY ${order}`,
    ),
  ])
  return page(input, count?.n ?? 0, list.map(shownRow))
}

/** What a sealed identity number is bound to. */
export const idCardAad = (id: number) => `customer ${id} id_card`

/** `110***********1234`; the middle stays sealed. */
export const maskedIdCard = (secrets: Secrets, id: number, sealed: string): string => {
  if (sealed === '') return ''
  const card = secrets.open(sealed, idCardAad(id))
  return `${card.slice(0, 3)}${'*'.repeat(card.length - 7)}${card.slice(-4)}`
}

/** Throws `not_found`. */
export const customerDetail = async (on: Queryable, secrets: Secrets, id: number): Promise<{ data: CustomerInfo }> => {
  const c = await customerState(on, id)
  if (!c) throw new AppError('not_found')
  return {
    data: {
      ...shownRow(c),
      whiteIpStatus: c.whiteIpStatus,
      whiteIps: c.whiteIps,
      unvalidModel: c.unvalidModel,
      lang: c.lang,
      idCard: maskedIdCard(secrets, id, c.idCard),
      verifyAsked: iso(c.verifyAsked),
      verifyTime: iso(c.verifyTime),
      verifyReason: c.verifyReason,
      passwordTime: iso(c.passwordTime),
    },
  }
}

const USER_CONSOLES = CONSOLES.filter((c) => c.endsWith('user'))

export const customerScreens = async (on: Queryable): Promise<OutputOf<'customer.options'>> => {
  const screens = await rows<OutputOf<'customer.options'>['data']['screens'][number]>(
    on,
    sql`SELECT id AS "menuId", parent_id AS "parentId", url, type, meta -> 'title' AS title FROM menu
        WHERE enabled AND type <> ${MENU_TYPES.action} AND consoles && ${sql.param(USER_CONSOLES)}::text[] ORDER BY sort, id`,
  )
  return { data: { screens } }
}

/** All customers, and those whose account is enabled. */
export const customerCounts = async (on: Queryable): Promise<{ used: number; active: number }> => {
  const found = await row<{ used: number; active: number }>(
    on,
    sql`SELECT count(*) AS used, count(*) FILTER (WHERE enabled) AS active FROM customer`,
  )
  return found ?? { used: 0, active: 0 }
}
