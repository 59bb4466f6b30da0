/** Looks again and again at what the monitors say, writes down what it comes to, and tells of changes. */
import type { DispatchConfig } from '@tidegate/contract/config/dispatch'
import type { NotifyEvent } from '@tidegate/contract/config/notify'
import type { NodeHealth } from '@tidegate/contract/monitor'
import { sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Queryable, Tx } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { row, rows } from '../../platform/query.ts'
import { ruleOf } from './rule.ts'
import { type MonitorSight, sights } from './store.ts'
import { healthOf, percentOf, voteOf } from './verdict.ts'

/** Where a notice goes: the staff's own addresses, or one that the dispatch settings name. */
type Recipient = { operator: true } | { channel: 'mail' | 'sms'; address: string }

export interface JudgeDeps {
  db: Db
  clock: Clock
  log: Log
  config(): Promise<DispatchConfig>
  /** Puts a notice into the queue, in the given transaction. */
  tell(
    tx: Queryable,
    notice: {
      event: Extract<NotifyEvent, 'node_down' | 'node_back'>
      to: Recipient
      vars: Record<string, string>
      dedupKey: string
    },
  ): Promise<unknown>
  /** IANA name. */
  timeZone(): string
}

/** One process at a time judges; any number. */
const LOCK = 3_902_026

interface Stored {
  id: number
  name: string
  health: NodeHealth | null
  failing: boolean
}

interface Judged extends Stored {
  now: NodeHealth
  fails: number
  total: number
  failPercent: number
  monitors: string[]
}

const readNodes = (tx: Tx): Promise<Stored[]> =>
  rows<Stored>(
    tx,
    sql`SELECT n.id, n.name, h.health, COALESCE(h.failing, false) AS failing FROM node n LEFT JOIN node_health h ON h.node_id = n.id
        WHERE n.enrolled_at IS NOT NULL AND n.revoked_at IS NULL ORDER BY n.id`,
  )

/** The rate of all that were counted, and whose word it is: who says that it fails, or that it no longer does. */
const judgeNode = (node: Stored, seen: readonly MonitorSight[], failPercent: number): Judged => {
  const votes = seen.map((sight) => ({ sight, ...voteOf(sight, failPercent, node.failing) }))
  const { health, fails, total } = healthOf(votes)
  const counted = votes.filter((vote) => vote.counts)
  const sum = (pick: (sight: MonitorSight) => number) => counted.reduce((n, { sight }) => n + pick(sight), 0)
  const rate = percentOf({ checks: sum((s) => s.checks), fails: sum((s) => s.fails) }) ?? 0
  const monitors = counted.filter((vote) => vote.fails === (health === 'failing')).map(({ sight }) => sight.name)
  return { ...node, now: health, fails, total, failPercent: rate, monitors }
}

const byNode = (all: readonly MonitorSight[]): Map<number, MonitorSight[]> => {
  const map = new Map<number, MonitorSight[]>()
  for (const sight of all) {
    const list = map.get(sight.nodeId)
    if (list) list.push(sight)
    else map.set(sight.nodeId, [sight])
  }
  return map
}

/** Words that mean the same in every language: `90% (2/3: edge-2, tokyo)`. */
const reasonOf = ({ failPercent, fails, total, monitors }: Judged) =>
  `${failPercent}% (${fails}/${total}: ${monitors.join(', ')})`.slice(0, 400)

const recipients = (config: DispatchConfig): Recipient[] => [
  { operator: true },
  ...(config.mailNoticeStatus === 1 ? [{ channel: 'mail' as const, address: config.mailNotice }] : []),
  ...(config.smsNoticeStatus === 1 ? [{ channel: 'sms' as const, address: config.smsNotice }] : []),
]

const tellChange = async (deps: JudgeDeps, tx: Tx, config: DispatchConfig, node: Judged, at: string) => {
  const failing = node.now === 'failing'
  const change = await row<{ id: number }>(
    tx,
    sql`INSERT INTO node_health_change (node_id, at, failing, fail_percent, fails, total, monitors)
        VALUES (${node.id}, ${at}, ${failing}, ${node.failPercent}, ${node.fails}, ${node.total}, ${sql.param(node.monitors)}::text[])
        RETURNING id`,
  )
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone: deps.timeZone(), dateStyle: 'short', timeStyle: 'short' })
  const vars = { node: node.name, reason: reasonOf(node), time: time.format(new Date(at)) }
  for (const to of recipients(config))
    await deps.tell(tx, { event: failing ? 'node_down' : 'node_back', to, vars, dedupKey: `node_health ${change?.id}` })
}

const write = (tx: Tx, judged: readonly Judged[], at: string) => {
  const list = judged.map((node) => ({
    id: node.id,
    health: node.now,
    failing: node.now === 'unknown' ? node.failing : node.now === 'failing',
  }))
  return tx.execute(sql`
    INSERT INTO node_health AS h (node_id, health, failing, since)
    SELECT x.id, x.health, x.failing, ${at}::timestamptz FROM jsonb_to_recordset(${JSON.stringify(list)}::jsonb) AS x (id bigint, health text, failing boolean)
    ON CONFLICT (node_id) DO UPDATE SET health = excluded.health, failing = excluded.failing,
      since = CASE WHEN h.failing = excluded.failing THEN h.since ELSE excluded.since END`)
}

/** One look. Answers of how many changes was told; null when another process is at it. */
export const judge = (deps: JudgeDeps): Promise<number | null> =>
  deps.db.transaction(async (tx) => {
    const lock = await row<{ mine: boolean }>(tx, sql`SELECT pg_try_advisory_xact_lock(${LOCK}) AS mine`)
    if (!lock?.mine) return null
    const config = await deps.config()
    const rule = ruleOf(config)
    const now = deps.clock.now()
    const at = new Date(now).toISOString()
    const [nodes, seen] = [await readNodes(tx), byNode(await sights(tx, rule, now))]
    const judged = nodes.map((node) => judgeNode(node, seen.get(node.id) ?? [], rule.failPercent))
    const moved = judged.filter((node) => node.now !== node.health)
    if (moved.length > 0) await write(tx, moved, at)
    // One that was never judged and is well is no news.
    const told = moved.filter((node) => node.now !== 'unknown' && (node.now === 'failing') !== node.failing)
    for (const node of told) {
      deps.log.warn({ nodeId: node.id, failing: node.now === 'failing', reason: reasonOf(node) }, 'node health changed')
      await tellChange(deps, tx, config, node, at)
    }
    return told.length
  })

const LOOK_MS = 5_000

/** Judges every few seconds until stopped. */
export const startJudge = (deps: JudgeDeps) => {
  let running: Promise<unknown> | undefined
  const look = () => {
    running ??= judge(deps)
      .catch((error: Error) => deps.log.warn({ err: error }, 'the nodes could not be judged'))
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(look, LOOK_MS).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
