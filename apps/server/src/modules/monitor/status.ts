/** `dispatch.*`: how the monitors see the nodes, for the console. */
import { COUNT_CAP } from '@tidegate/contract/limits'
import type { NodeHealth } from '@tidegate/contract/monitor'
import type { InputOf } from '@tidegate/contract/operations/index'
import type { GroupStanding, MonitorVote, StableRow } from '@tidegate/contract/operations/monitor'
import { sql } from 'drizzle-orm'
import type { Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { contains, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'
import { readOutcome } from './outcome.ts'
import { type Rule, silentMs } from './rule.ts'
import { type MonitorSight, points, sights } from './store.ts'
import { isProbed } from './targets.ts'
import { percentOf, voteOf } from './verdict.ts'

export interface StatusDeps {
  db: Db
  clock: Clock
  rule(): Promise<Rule>
}

interface NodeLine {
  nodeId: number
  name: string
  groupId: number
  groupName: string
  address: string
  health: NodeHealth
  failing: boolean
  since: string | null
  /** Its group has a node that is well. */
  survivors: boolean
}

const LIVE = sql`n.enrolled_at IS NOT NULL AND n.revoked_at IS NULL`
const HEALTH = sql`COALESCE(h.health, 'unknown')`
const FROM = sql`FROM node n JOIN node_group g ON g.id = n.group_id LEFT JOIN node_health h ON h.node_id = n.id`

const condition = ({ groupId, health, key }: InputOf<'dispatch.stable'>) => {
  const parts = [LIVE]
  if (groupId !== undefined) parts.push(sql`n.group_id = ${groupId}`)
  if (health !== undefined) parts.push(sql`${HEALTH} = ${health}`)
  if (key) parts.push(sql`(n.name ILIKE ${contains(key)} OR n.address ILIKE ${contains(key)})`)
  return sql.join(parts, sql` AND `)
}

/** By group; within it those that fail first. */
const nodeLines = (db: Db, input: InputOf<'dispatch.stable'>) =>
  rows<NodeLine>(
    db,
    sql`SELECT n.id AS "nodeId", n.name, n.group_id AS "groupId", g.name AS "groupName", n.address, ${HEALTH} AS health,
          COALESCE(h.failing, false) AS failing, h.since,
          EXISTS (SELECT FROM node o JOIN node_health oh ON oh.node_id = o.id
            WHERE o.group_id = n.group_id AND oh.health = 'ok' AND o.enrolled_at IS NOT NULL AND o.revoked_at IS NULL) AS survivors
        ${FROM} WHERE ${condition(input)}
        ORDER BY g.name, g.id, ${HEALTH} <> 'failing', n.name LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )

const standings = (db: Db) =>
  rows<GroupStanding>(
    db,
    sql`SELECT g.id, g.name, count(n.id)::int AS nodes, (count(n.id) FILTER (WHERE ${HEALTH} = 'ok'))::int AS ok,
          (count(n.id) FILTER (WHERE ${HEALTH} = 'failing'))::int AS failing, (count(n.id) FILTER (WHERE ${HEALTH} = 'unknown'))::int AS unknown
        FROM node_group g LEFT JOIN node n ON n.group_id = g.id AND ${LIVE} LEFT JOIN node_health h ON h.node_id = n.id
        GROUP BY g.id ORDER BY g.name, g.id`,
  )

interface MonitorLine {
  id: number
  name: string
  kind: 'agent' | 'outside'
  lastAt: string
  nodes: number
}

/** Those with results; agents without a task and monitors that fell silent for a day are left out. */
const monitorLines = (db: Db, rule: Rule, now: number) =>
  rows<MonitorLine>(
    db,
    sql`SELECT m.id, m.kind, CASE m.kind WHEN 'agent' THEN n.name ELSE m.name END AS name, m.last_at AS "lastAt",
          COALESCE(t.nodes, 0) AS nodes
        FROM monitor m LEFT JOIN node n ON n.id = m.node_id
        LEFT JOIN (SELECT monitor_id, count(*)::int AS nodes FROM (
            SELECT monitor_id, node_id FROM probe_track WHERE last_at > ${now - silentMs(rule)} GROUP BY 1, 2) pairs GROUP BY 1) t
          ON t.monitor_id = m.id
        WHERE m.last_at > ${new Date(now - 86_400_000).toISOString()}::timestamptz AND (n.id IS NULL OR n.revoked_at IS NULL)
        ORDER BY m.kind DESC, m.last_at DESC LIMIT ${MONITORS_SHOWN}`,
  )
/** Every outside one, and of the agents the latest: each node's row names its own. */
const MONITORS_SHOWN = 60

const voteLine = (sight: MonitorSight, rule: Rule, failing: boolean): MonitorVote => ({
  id: sight.monitorId,
  name: sight.name,
  kind: sight.kind,
  failPercent: percentOf(sight),
  ...voteOf(sight, rule.failPercent, failing),
  lastAt: iso(new Date(sight.lastAt)),
})

const group = <T extends { nodeId: number }>(list: readonly T[]): Map<number, T[]> => {
  const map = new Map<number, T[]>()
  for (const one of list) map.set(one.nodeId, [...(map.get(one.nodeId) ?? []), one])
  return map
}

const present = async (
  { db, clock }: StatusDeps,
  rule: Rule,
  lines: readonly NodeLine[],
  count: number,
): Promise<StableRow[]> => {
  const ids = lines.map((line) => line.nodeId)
  const now = clock.now()
  const [seen, history] = await Promise.all([sights(db, rule, now, ids), points(db, rule, now, ids)])
  const [byNode, pointsOf] = [group(seen), group(history)]
  return lines.map(({ survivors, failing, since, ...line }) => {
    const votes = (byNode.get(line.nodeId) ?? []).map((sight) => ({ sight, vote: voteLine(sight, rule, failing) }))
    const counted = votes.filter(({ vote }) => vote.counts)
    const sum = (pick: (s: MonitorSight) => number) => counted.reduce((n, { sight }) => n + pick(sight), 0)
    return {
      ...line,
      probed: isProbed(line, count),
      since: iso(since),
      leaves: line.health === 'failing' && survivors,
      failPercent: percentOf({ checks: sum((s) => s.checks), fails: sum((s) => s.fails) }),
      votes: { fails: counted.filter(({ vote }) => vote.fails).length, total: counted.length },
      monitors: votes.map(({ vote }) => vote),
      points: (pointsOf.get(line.nodeId) ?? []).map(({ t, checks, fails }) => ({ t, checks, fails })),
    }
  })
}

const stable = async (deps: StatusDeps, input: InputOf<'dispatch.stable'>) => {
  const { db, clock } = deps
  const rule = await deps.rule()
  const now = clock.now()
  const [counts, lines, groups, monitors] = await Promise.all([
    row<{ n: number; live: number }>(
      db,
      sql`SELECT (SELECT count(*) FROM (SELECT ${FROM} WHERE ${condition(input)} LIMIT ${COUNT_CAP}) x) AS n,
            (SELECT count(*) FROM node n WHERE ${LIVE}) AS live`,
    ),
    nodeLines(db, input),
    standings(db),
    monitorLines(db, rule, now),
  ])
  const list = await present(deps, rule, lines, counts?.live ?? 0)
  return {
    data: {
      ...page(input, counts?.n ?? 0, list).data,
      groups,
      monitors: monitors.map((one) => ({
        ...one,
        lastAt: iso(one.lastAt),
        reports: now - new Date(one.lastAt).getTime() < silentMs(rule),
      })),
      rule,
    },
  }
}

const CHANGES_SHOWN = 50

const history = async ({ db }: StatusDeps, id: number) => {
  const node = await row<{ name: string; address: string }>(db, sql`SELECT name, address FROM node WHERE id = ${id}`)
  if (!node) throw new AppError('not_found')
  const [results, changes] = await Promise.all([
    rows<{ monitor: string; port: number; at: number; outcome: number }>(
      db,
      sql`SELECT CASE m.kind WHEN 'agent' THEN n.name ELSE m.name END AS monitor, t.port, x.at, x.outcome
          FROM probe_track t JOIN monitor m ON m.id = t.monitor_id LEFT JOIN node n ON n.id = m.node_id,
            unnest(t.ats, t.outcomes) AS x(at, outcome)
          WHERE t.node_id = ${id} ORDER BY x.at DESC, monitor, t.port LIMIT ${RESULTS_SHOWN}`,
    ),
    rows<{ at: string; failing: boolean; failPercent: number; fails: number; total: number; monitors: string[] }>(
      db,
      sql`SELECT at, failing, fail_percent AS "failPercent", fails, total, monitors FROM node_health_change
          WHERE node_id = ${id} ORDER BY at DESC, id DESC LIMIT ${CHANGES_SHOWN}`,
    ),
  ])
  return {
    data: {
      nodeId: id,
      ...node,
      results: results.map(({ monitor, port, at, outcome }) => ({
        ...{ monitor, port, at: iso(new Date(at)) },
        ...readOutcome(outcome),
      })),
      changes: changes.map(({ at, fails, total, ...rest }) => ({ ...rest, at: iso(at), votes: { fails, total } })),
    },
  }
}
const RESULTS_SHOWN = 500

export const statusHandlers = (deps: StatusDeps): Handlers<'dispatch.stable' | 'dispatch.history'> => ({
  'dispatch.stable': (input) => stable(deps, input),
  'dispatch.history': ({ id }) => history(deps, id),
})

/** Nodes that fail at present, for who looks for what is wrong. `since` ISO. */
export const failingNodes = async (db: Db) => {
  const found = await rows<{ id: number; name: string; since: string }>(
    db,
    sql`SELECT n.id, n.name, h.since FROM node_health h JOIN node n ON n.id = h.node_id
        WHERE h.health = 'failing' AND ${LIVE} ORDER BY h.since LIMIT 100`,
  )
  return found.map((one) => ({ ...one, since: iso(one.since) }))
}
