/** Reads the log of deliveries at a million rows, and puts one back into the queue. */
import { COUNT_CAP } from '@tidegate/contract/limits'
import type { InputOf } from '@tidegate/contract/operations/index'
import type { DeliveryRow } from '@tidegate/contract/operations/notify'
import { type SQL, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { addJob } from '../../platform/jobs.ts'
import { contains, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'
import { HIDDEN } from './render.ts'
import { WAKE_JOB } from './send.ts'

const WORDS = sql`lower(address || ' ' || subject || ' ' || answer)`

const conditions = (input: InputOf<'notify.log'>): SQL => {
  const parts: SQL[] = [sql`true`]
  for (const name of ['event', 'channel', 'state'] as const)
    if (input[name] !== undefined) parts.push(sql`${sql.identifier(name)} = ${input[name]}`)
  const key = input.key?.trim().toLowerCase() ?? ''
  if (key !== '') parts.push(sql`${WORDS} LIKE ${contains(key)}`)
  return sql.join(parts, sql` AND `)
}

/** Newest first, or oldest first when asked for. */
export const listNotices = async (on: Queryable, input: InputOf<'notify.log'>) => {
  const where = conditions(input)
  const direction = input.order === 'asc' ? sql`ASC` : sql`DESC`
  const [count, list] = await Promise.all([
    row<{ n: number }>(on, sql`SELECT count(*) AS n FROM (SELECT FROM notice WHERE ${where} LIMIT ${COUNT_CAP}) x`),
    rows<DeliveryRow>(
      on,
      sql`SELECT id, created_at AS "createTime", event, channel, address AS "to", state, fault, attempts, subject, answer,
            next_at AS "nextTime", finished_at AS "finishTime" FROM notice WHERE ${where}
          ORDER BY created_at ${direction}, id ${direction} LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
    ),
  ])
  const shown = list.map((one) => ({
    ...one,
    createTime: iso(one.createTime),
    nextTime: iso(one.nextTime),
    finishTime: iso(one.finishTime),
  }))
  return page(input, count?.n ?? 0, shown)
}

/** Only what is finished without success and held no secret; throws `not_found` or `notice_final`. Answers its state before. */
export const resend = async (tx: Queryable, clock: Clock, id: number) => {
  const found = await row<{ state: string; vars: Record<string, string> }>(
    tx,
    sql`SELECT state, vars FROM notice WHERE id = ${id} FOR UPDATE`,
  )
  if (!found) throw new AppError('not_found')
  const possible = ['failed', 'unknown', 'skipped'].includes(found.state) && !Object.values(found.vars).includes(HIDDEN)
  if (!possible) throw new AppError('notice_final')
  await tx.execute(sql`UPDATE notice SET state = 'queued', attempts = 0, fault = 'none', answer = '', handed_at = NULL, finished_at = NULL,
    expires_at = NULL, next_at = ${new Date(clock.now()).toISOString()} WHERE id = ${id}`)
  await addJob(tx, WAKE_JOB, {})
  return { state: found.state }
}
