/** Writes results into the tracks, and reads what the tracks say. */
import { PROBE_KEEP, PROBE_ROUNDS } from '@tidegate/contract/monitor'
import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import { row, rows } from '../../platform/query.ts'
import { type Rule, silentMs, windowMs } from './rule.ts'
import type { LiveNode } from './targets.ts'
import type { Sight } from './verdict.ts'

/** A result ready to be stored; `outcome` as of `packOutcome`, `at` Unix ms. */
export interface Packed {
  node: number
  port: number
  at: number
  outcome: number
}

/** An agent counts as one that can probe while it was seen within so many seconds. */
const ONLINE_SECONDS = 60

/** Nodes that are enrolled and not revoked. `now`: Unix ms. */
export const liveNodes = (on: Queryable, now: number): Promise<LiveNode[]> =>
  rows<LiveNode>(
    on,
    sql`SELECT id, address, COALESCE(last_seen > ${new Date(now - ONLINE_SECONDS * 1000).toISOString()}::timestamptz, false) AS online
        FROM node WHERE enrolled_at IS NOT NULL AND revoked_at IS NULL ORDER BY id`,
  )

/** The monitor on a node; made when it is first heard of. */
export const agentMonitor = async (on: Queryable, nodeId: number, now: number): Promise<number> => {
  const at = new Date(now).toISOString()
  const found = await row<{ id: number }>(
    on,
    sql`INSERT INTO monitor (kind, node_id, first_at, last_at) SELECT 'agent', id, ${at}, ${at} FROM node WHERE id = ${nodeId}
        ON CONFLICT (node_id) WHERE kind = 'agent' DO UPDATE SET last_at = excluded.last_at RETURNING id`,
  )
  if (!found) throw new Error(`no node ${nodeId}`)
  return found.id
}

/** The outside monitor of that name; null when there are `max` others already. Two that come first at once may make one too many. */
export const outsideMonitor = async (on: Queryable, name: string, now: number, max: number): Promise<number | null> => {
  const at = new Date(now).toISOString()
  const found = await row<{ id: number }>(
    on,
    sql`INSERT INTO monitor (kind, name, first_at, last_at) SELECT 'outside', ${name}, ${at}, ${at}
        WHERE EXISTS (SELECT FROM monitor WHERE kind = 'outside' AND name = ${name})
          OR (SELECT count(*) FROM monitor WHERE kind = 'outside') < ${max}
        ON CONFLICT (name) WHERE kind = 'outside' DO UPDATE SET last_at = excluded.last_at RETURNING id`,
  )
  return found?.id ?? null
}

/** Of two of the same moment the first that was brought stays. */
const merged = (what: SQL) => sql`(SELECT array_agg(${what} ORDER BY at) FROM (
  SELECT DISTINCT ON (at) at, outcome FROM unnest(t.ats || excluded.ats, t.outcomes || excluded.outcomes) WITH ORDINALITY AS x(at, outcome, n)
  ORDER BY at DESC, n LIMIT ${PROBE_KEEP}) kept)`

/** The newest of what was there and what comes behind it. */
const appended = (name: SQL) =>
  sql`(t.${name} || excluded.${name})[greatest(1, cardinality(t.ats) + cardinality(excluded.ats) - ${PROBE_KEEP - 1}):]`

/** Of what is brought at once. */
const newestOf = (what: SQL) => sql`(array_agg(${what} ORDER BY at))[greatest(1, count(*)::int - ${PROBE_KEEP - 1}):]`

const LATER = sql`excluded.ats[1] > t.last_at`

/** Stores results of one monitor. Those that are there already, or are older than all that are kept, change nothing. */
export const storeResults = async (on: Queryable, monitorId: number, results: readonly Packed[]): Promise<void> => {
  if (results.length === 0) return
  const column = (pick: (one: Packed) => number) => sql.param(results.map(pick))
  await on.execute(sql`
    INSERT INTO probe_track AS t (node_id, monitor_id, port, last_at, ats, outcomes)
    SELECT node, ${monitorId}::int, port, max(at), ${newestOf(sql`at`)}, ${newestOf(sql`outcome`)}
    FROM (SELECT DISTINCT ON (node, port, at) node, port, at, outcome
          FROM unnest(${column((r) => r.node)}::bigint[], ${column((r) => r.port)}::int[], ${column((r) => r.at)}::bigint[],
            ${column((r) => r.outcome)}::int[]) WITH ORDINALITY AS g(node, port, at, outcome, n) ORDER BY node, port, at, n) once
    GROUP BY node, port ORDER BY node, port
    ON CONFLICT (node_id, monitor_id, port) DO UPDATE SET last_at = greatest(t.last_at, excluded.last_at),
      ats = CASE WHEN ${LATER} THEN ${appended(sql`ats`)} ELSE ${merged(sql`at`)} END,
      outcomes = CASE WHEN ${LATER} THEN ${appended(sql`outcomes`)} ELSE ${merged(sql`outcome`)} END`)
}

export interface MonitorSight extends Sight {
  nodeId: number
  monitorId: number
  name: string
  kind: 'agent' | 'outside'
  /** Unix ms of its newest result. */
  lastAt: number
}

/** What each monitor that is not silent saw of each node in the last rounds. `nodes`: of these alone. */
export const sights = (on: Queryable, rule: Rule, now: number, nodes?: readonly number[]): Promise<MonitorSight[]> => {
  const these = nodes === undefined ? sql`true` : sql`t.node_id = ANY (${sql.param([...nodes])}::bigint[])`
  // The newest alone are taken apart; a few more than the rounds, as the window decides.
  const newest = (name: SQL) => sql`t.${name}[greatest(1, cardinality(t.ats) - ${PROBE_ROUNDS + 1}):]`
  return rows<MonitorSight>(
    on,
    sql`SELECT t.node_id AS "nodeId", m.id AS "monitorId", m.kind, CASE m.kind WHEN 'agent' THEN n.name ELSE m.name END AS name,
          t.checks, t.fails, t.rounds, t.last_at AS "lastAt"
        FROM (SELECT t.node_id, t.monitor_id, sum(w.checks)::int AS checks, sum(w.fails)::int AS fails, max(w.checks)::int AS rounds,
                max(t.last_at) AS last_at
              FROM probe_track t CROSS JOIN LATERAL (
                SELECT count(*) AS checks, count(*) FILTER (WHERE outcome < 0) AS fails
                FROM unnest(${newest(sql`ats`)}, ${newest(sql`outcomes`)}) AS x(at, outcome) WHERE at > t.last_at - ${windowMs(rule)}) w
              WHERE t.last_at > ${now - silentMs(rule)} AND t.port = ANY (${sql.param(rule.ports)}::int[]) AND ${these}
              GROUP BY t.node_id, t.monitor_id) t
        JOIN monitor m ON m.id = t.monitor_id LEFT JOIN node n ON n.id = m.node_id
        ORDER BY t.node_id, m.kind, name`,
  )
}

export interface Point {
  nodeId: number
  t: number
  checks: number
  fails: number
}

/** Checks of the nodes by round, as far as they are kept. */
export const points = (on: Queryable, rule: Rule, now: number, nodes: readonly number[]): Promise<Point[]> => {
  const step = rule.frequency * 1000
  return rows<Point>(
    on,
    sql`SELECT t.node_id AS "nodeId", at - at % ${step} AS t, count(*)::int AS checks, count(*) FILTER (WHERE outcome < 0)::int AS fails
        FROM probe_track t, unnest(t.ats, t.outcomes) AS x(at, outcome)
        WHERE t.node_id = ANY (${sql.param([...nodes])}::bigint[]) AND t.port = ANY (${sql.param(rule.ports)}::int[])
          AND at > ${now - PROBE_KEEP * step}
        GROUP BY 1, 2 ORDER BY 1, 2`,
  )
}
