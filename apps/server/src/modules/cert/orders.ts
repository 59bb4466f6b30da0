/** Orders as rows: begun, gone on with, ended. At most one of a certificate is under way; the database sees to that. */
import type { CertOrderReason, CertStep } from '@tidegate/contract/cert'
import { sql } from 'drizzle-orm'
import type { Queryable, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { addJob } from '../../platform/jobs.ts'
import { row, sqlState } from '../../platform/query.ts'
import type { OrderFault } from './acme/errors.ts'
import type { StoredOrder, Warning } from './deps.ts'

export const ORDER_JOB = 'cert.order'

interface NewOrder {
  certId: number
  authorityId: number
  reason: CertOrderReason
  by: string
  names: string[]
  siteIds: number[]
  replaces: string
}

/** Throws `cert_running` when one is under way. It begins once the transaction is through. */
export const startOrder = async (tx: Tx, order: NewOrder, now: number): Promise<number> => {
  const at = new Date(now).toISOString()
  try {
    const made = await row<{ id: number }>(
      tx,
      sql`INSERT INTO cert_order (cert_id, authority_id, reason, by_name, names, site_ids, replaces, created_at, step_at)
          VALUES (${order.certId}, ${order.authorityId}, ${order.reason}, ${order.by}, ${sql.param(order.names)}::text[],
            ${sql.param(order.siteIds)}::bigint[], ${order.replaces}, ${at}::timestamptz, now()) RETURNING id`,
    )
    if (!made) throw new Error('no order was inserted')
    await wakeOrder(tx, made.id, 0)
    return made.id
  } catch (error) {
    if (sqlState(error) === '23505') throw new AppError('cert_running')
    throw error
  }
}

/** The worker looks at the order in so many milliseconds. */
export const wakeOrder = (on: Queryable, id: number, ms: number): Promise<void> =>
  addJob(on, ORDER_JOB, { id }, { key: `${ORDER_JOB} ${id}`, ...(ms > 0 && { runAt: new Date(Date.now() + ms) }) })

/** Undefined when it is over. */
export const loadOrder = (on: Queryable, id: number): Promise<StoredOrder | undefined> =>
  row<StoredOrder>(
    on,
    sql`SELECT id, cert_id AS "certId", authority_id AS "authorityId", reason, by_name AS by, names, site_ids AS "siteIds", step, replaces,
          order_url AS "orderUrl", key_sealed AS "keySealed", pushes, tries,
          (extract(epoch FROM clock_timestamp() - published_at) * 1000)::float8 AS "publishedAge",
          (extract(epoch FROM clock_timestamp() - step_at) * 1000)::float8 AS "stepAge"
        FROM cert_order WHERE id = ${id} AND ended_at IS NULL`,
  )

export const setStep = async (on: Queryable, id: number, step: CertStep): Promise<void> => {
  await on.execute(
    sql`UPDATE cert_order SET step = ${step}, step_at = now(), next_at = NULL WHERE id = ${id} AND ended_at IS NULL`,
  )
}

export const setWarnings = async (on: Queryable, id: number, warnings: Warning[]): Promise<void> => {
  await on.execute(sql`UPDATE cert_order SET warnings = ${JSON.stringify(warnings)}::jsonb WHERE id = ${id}`)
}

/** The authority has the order. From here on another worker can go on with it. */
export const setPlaced = async (on: Queryable, id: number, url: string, keySealed: string): Promise<void> => {
  await on.execute(sql`UPDATE cert_order SET order_url = ${url}, key_sealed = ${keySealed}, pushes = '[]', published_at = NULL
    WHERE id = ${id} AND ended_at IS NULL`)
}

/** Forgets what the authority has: it does not know the order any more. */
export const setUnplaced = async (on: Queryable, id: number): Promise<void> => {
  await on.execute(sql`UPDATE cert_order SET order_url = '', key_sealed = '', pushes = '[]', published_at = NULL, step = 'ordering',
    step_at = now() WHERE id = ${id} AND ended_at IS NULL`)
}

const faultJson = (fault: OrderFault) => sql`${JSON.stringify({ key: fault.key, params: fault.params })}::jsonb`

/** It is tried again in `ms`. Nodes get their time anew. */
export const setRetry = async (
  on: Queryable,
  id: number,
  fault: OrderFault,
  ms: number,
  now: number,
): Promise<void> => {
  const next = new Date(now + ms).toISOString()
  await on.execute(sql`UPDATE cert_order SET tries = tries + 1, next_at = ${next}::timestamptz, fault = ${faultJson(fault)},
    detail = ${fault.detail}, published_at = CASE WHEN published_at IS NULL THEN NULL ELSE now() + ${ms} * interval '1 millisecond' END,
    step_at = now() WHERE id = ${id} AND ended_at IS NULL`)
  await wakeOrder(on, id, ms)
}

/** False: it was over already. */
export const endOrder = async (
  tx: Tx,
  id: number,
  end: { fault: OrderFault } | { serial: string },
  now: number,
): Promise<boolean> => {
  const at = new Date(now).toISOString()
  const how =
    'fault' in end
      ? sql`step = 'failed', fault = ${faultJson(end.fault)}, detail = ${end.fault.detail}`
      : sql`step = 'done', fault = NULL, detail = '', serial = ${end.serial}`
  const ended = await row(
    tx,
    sql`UPDATE cert_order SET ${how}, next_at = NULL, key_sealed = '', ended_at = ${at}::timestamptz, step_at = now()
        WHERE id = ${id} AND ended_at IS NULL RETURNING id`,
  )
  return ended !== undefined
}
