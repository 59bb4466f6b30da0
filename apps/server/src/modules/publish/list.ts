/** The list of pushes with their counts. */
import type { PushReason, PushState } from '@tidegate/contract/enums'
import { COUNT_CAP } from '@tidegate/contract/limits'
import { type SQL, sql } from 'drizzle-orm'
import type { PushRef } from '../../platform/config-change.ts'
import type { Queryable } from '../../platform/db.ts'
import { contains, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'

interface Row {
  scope: string
  groupName: string
  revision: number
  reason: PushReason
  subject: string
  by: string
  createTime: string
  published: boolean
  failed: boolean
  refused: number
}

const COLUMNS = sql`r.scope, COALESCE(g.name, '') AS "groupName", r.revision, r.reason, r.subject, r.by_name AS by, r.created_at AS "createTime",
  r.published_at IS NOT NULL AS published, r.failed IS NOT NULL AS failed,
  (SELECT count(*) FROM push_feedback f JOIN node_push p USING (node_id) WHERE f.scope = r.scope AND f.revision = r.revision
     AND f.state = 'refused' AND NOT p.revoked) AS refused`
const FROM = sql`config_revision r LEFT JOIN node_group g ON 'group:' || g.id = r.scope`

/** A revision waits while it is not published or some node that knows of it has not answered. */
const WAITS = sql`(r.published_at IS NULL OR EXISTS (
  SELECT FROM node_push p WHERE p.scope = r.scope AND NOT p.revoked AND p.base < r.revision AND p.answered < r.revision))`
const REFUSED = sql`(r.failed IS NOT NULL OR EXISTS (
  SELECT FROM push_feedback f JOIN node_push p USING (node_id)
  WHERE f.scope = r.scope AND f.revision = r.revision AND f.state = 'refused' AND NOT p.revoked))`

const FILTERS: Record<PushState, SQL> = {
  pending: WAITS,
  refused: sql`NOT ${WAITS} AND ${REFUSED}`,
  done: sql`NOT ${WAITS} AND NOT ${REFUSED}`,
}

/** Pushes, newest first. */
export const listPushes = async (
  on: Queryable,
  input: { page: number; limit: number; state?: PushState | undefined; key?: string | undefined },
) => {
  const parts = [sql`true`]
  if (input.state) parts.push(FILTERS[input.state])
  if (input.key) parts.push(sql`r.subject ILIKE ${contains(input.key)}`)
  const where = sql.join(parts, sql` AND `)
  const count = await row<{ n: number }>(
    on,
    sql`SELECT count(*) AS n FROM (SELECT FROM config_revision r WHERE ${where} LIMIT ${COUNT_CAP}) x`,
  )
  const list = await rows<Row>(
    on,
    sql`SELECT ${COLUMNS} FROM ${FROM} WHERE ${where} ORDER BY r.created_at DESC, r.scope, r.revision DESC
        LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )
  return page(input, count?.n ?? 0, await withCounts(on, list))
}

/** One push with its counts, or undefined. */
export const onePush = async (on: Queryable, { scope, revision }: PushRef) => {
  const list = await rows<Row>(
    on,
    sql`SELECT ${COLUMNS} FROM ${FROM} WHERE r.scope = ${scope} AND r.revision = ${revision}`,
  )
  return (await withCounts(on, list))[0]
}

interface Crowd {
  scope: string
  base: number
  answered: number
  nodes: number
}

/** Nodes stand in few crowds that are equally far: one small aggregate serves a whole page. */
const withCounts = async (on: Queryable, list: Row[]) => {
  const crowds = await rows<Crowd>(
    on,
    sql`SELECT scope, base, answered, count(*) AS nodes FROM node_push WHERE NOT revoked GROUP BY scope, base, answered`,
  )
  return list.map(({ published, failed, createTime, refused, ...push }) => {
    const counted = crowds.filter((c) => c.scope === push.scope && c.base < push.revision)
    const sum = (some: Crowd[]) => some.reduce((n, c) => n + c.nodes, 0)
    const nodes = sum(counted)
    const answered = sum(counted.filter((c) => c.answered >= push.revision))
    const waits = !published || answered < nodes
    const state: PushState = waits ? 'pending' : refused > 0 || failed ? 'refused' : 'done'
    return {
      ...push,
      createTime: iso(createTime),
      state,
      nodes,
      done: answered - refused,
      refused: refused + (failed ? 1 : 0),
    }
  })
}
