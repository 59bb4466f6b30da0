/** Certificates and their orders as people see them. */
import {
  type CertFaultKey,
  type CertNote,
  type CertWarningKey,
  certStatus,
  certText,
  type StoredCertStatus,
} from '@tidegate/contract/cert'
import type { CertInfo, CertOrder, CertRow } from '@tidegate/contract/operations/cert'
import type { InputOf } from '@tidegate/contract/operations/index'
import { type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { ownerOf, reachable } from '../../platform/owner.ts'
import { contains, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'

/** Orders that the detail shows. */
const HISTORY = 20

type OrderRow = Omit<CertOrder, 'fault' | 'warnings'> & {
  fault: CertNote<CertFaultKey> | null
  warnings: CertNote<CertWarningKey>[]
}
type FoundRow = Omit<CertRow, 'status' | 'order' | 'source'> & { status: StoredCertStatus; order: OrderRow | null }

/** Nodes' names are the operator's matter: a customer sees their numbers. */
export const nodesFor = (params: Record<string, string>, forCustomer: boolean): Record<string, string> =>
  forCustomer && params.nodes !== undefined
    ? {
        ...params,
        nodes: params.nodes
          .split(', ')
          .map((node) => node.split(' ')[0])
          .join(', '),
      }
    : params

const ORDER = sql`jsonb_build_object('id', o.id, 'reason', o.reason, 'step', o.step, 'by', o.by_name, 'names', o.names, 'createTime', o.created_at,
  'endTime', o.ended_at, 'nextTime', o.next_at, 'tries', o.tries, 'fault', o.fault, 'detail', o.detail, 'warnings', o.warnings,
  'serial', o.serial, 'authority', (SELECT a.name FROM cert_authority a WHERE a.id = o.authority_id))`

const SELECT = sql`SELECT c.id, c.remark, c.names, c.status, c.user_id AS "userId", COALESCE(u.username, '') AS "userName",
  c.authority_id AS "authorityId", COALESCE(a.name, '') AS authority, c.issuer, c.not_before AS "notBefore", c.not_after AS "notAfter",
  c.serial, c.auto_renew AS "autoRenew", c.updated_at AS "updateTime", c.fingerprint,
  (SELECT count(*) FROM site s WHERE s.cert_id = c.id) AS sites,
  (SELECT ${ORDER} FROM cert_order o WHERE o.cert_id = c.id ORDER BY o.id DESC LIMIT 1) AS "order"
  FROM cert c LEFT JOIN customer u ON u.id = c.user_id LEFT JOIN cert_authority a ON a.id = c.authority_id`

const presentOrder = (order: OrderRow, { kind, lang }: Pick<Caller, 'kind' | 'lang'>): CertOrder => ({
  ...order,
  createTime: iso(order.createTime),
  endTime: iso(order.endTime),
  nextTime: iso(order.nextTime),
  fault: order.fault ? certText({ ...order.fault, params: nodesFor(order.fault.params, kind === 'user') }, lang) : '',
  warnings: order.warnings.map((warning) => certText(warning, lang)),
})

const present = (found: FoundRow, caller: Caller, now: number): CertRow => ({
  ...found,
  status: certStatus(found.status, found.notAfter ? new Date(found.notAfter).getTime() : null, now),
  source: found.status === 'own' ? 'upload' : 'acme',
  notBefore: iso(found.notBefore),
  notAfter: iso(found.notAfter),
  updateTime: iso(found.updateTime),
  order: found.order && presentOrder(found.order, caller),
})

type Query = InputOf<'cert.list'>

const statusIs = (status: Query['status'], now: number): SQL => {
  const ended = sql`c.status IN ('succeeded', 'own') AND c.not_after <= ${new Date(now).toISOString()}::timestamptz`
  if (status === undefined) return sql`true`
  return status === 'expired' ? ended : sql`c.status = ${status} AND NOT (${ended} IS TRUE)`
}

const ORDERS = new Map<string | undefined, SQL>([
  ['notAfter', sql`c.not_after`],
  ['updateTime', sql`c.updated_at`],
])

export const listCerts = async (db: Db, query: Query, caller: Caller, now: number) => {
  const owner = ownerOf(caller) ?? query.userId ?? null
  const named = query.key
    ? sql`(array_to_string(c.names, ' ') ILIKE ${contains(query.key)} OR c.remark ILIKE ${contains(query.key)})`
    : sql`true`
  const source = query.source === undefined ? sql`true` : sql`(c.status = 'own') = ${query.source === 'upload'}`
  const owned = owner === null ? sql`true` : sql`c.user_id = ${owner}`
  const where = sql`${named} AND ${source} AND ${owned} AND ${statusIs(query.status, now)}`
  const by = ORDERS.get(query.sidx) ?? sql`c.id`
  const direction = query.order === 'asc' ? sql`ASC` : sql`DESC`
  const count = await row<{ n: number }>(
    db,
    sql`SELECT count(*) AS n FROM (SELECT FROM cert c WHERE ${where} LIMIT 10001) x`,
  )
  const found = await rows<FoundRow & { fingerprint: string }>(
    db,
    sql`${SELECT} WHERE ${where} ORDER BY ${by} ${direction} NULLS LAST, c.id ${direction}
        LIMIT ${query.limit} OFFSET ${(query.page - 1) * query.limit}`,
  )
  return page(
    query,
    count?.n ?? 0,
    found.map(({ fingerprint: _, ...cert }) => present(cert, caller, now)),
  )
}

export const certInfo = async (db: Db, id: number, caller: Caller, now: number): Promise<CertInfo> => {
  const found = await row<FoundRow & { fingerprint: string }>(
    db,
    sql`${SELECT} WHERE c.id = ${id} AND ${reachable(caller, sql`c.user_id`)}`,
  )
  if (!found) throw new AppError('not_found')
  const { fingerprint, ...cert } = found
  // A certificate that the operator gave to several customers' sites shows to each only the own ones.
  const siteList = await rows<{ id: number; domain: string; enabled: boolean }>(
    db,
    sql`SELECT s.id, s.domains[1] AS domain, s.enabled FROM site s
        WHERE s.cert_id = ${id} AND ${reachable(caller, sql`s.user_id`)} ORDER BY s.id LIMIT 200`,
  )
  const orders = await rows<{ order: OrderRow }>(
    db,
    sql`SELECT ${ORDER} AS "order" FROM cert_order o WHERE o.cert_id = ${id} ORDER BY o.id DESC LIMIT ${HISTORY}`,
  )
  const history = orders.map(({ order }) => presentOrder(order, caller))
  return { ...present(cert, caller, now), fingerprint, siteList, orders: history }
}

/** The public part alone. */
export const certChain = async (db: Db, id: number, caller: Caller) => {
  const found = await row<{ name: string; certPem: string }>(
    db,
    sql`SELECT names[1] AS name, cert_pem AS "certPem" FROM cert
        WHERE id = ${id} AND not_after IS NOT NULL AND ${reachable(caller, sql`user_id`)}`,
  )
  if (!found) throw new AppError('not_found')
  return { data: found }
}
