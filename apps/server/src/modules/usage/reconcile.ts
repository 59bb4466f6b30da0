/** The scheduled task that compares the figures that bills are made from with each other and with the raw lines behind them. */
import type { RawState } from '@tidegate/contract/enums'
import type pg from 'pg'
import { z } from 'zod'
import type { Analytics } from '../../platform/clickhouse.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/db.ts'
import { type TaskContext, type TaskKind, type TaskResult, taskKind } from '../../platform/task.ts'
import { compareRaw, type RawGap, StoreAway } from './raw.ts'
import { lookAtDay, lookAtHour, repairDay, repairHour, type Step } from './repair.ts'
import {
  type At,
  beginRun,
  daysOf,
  Elsewhere,
  type Ended,
  endRun,
  type Found,
  type Gap,
  hoursOf,
  inTransaction,
  NOTHING,
  type Params,
  pass,
  type Run,
} from './runs.ts'
import type { Day, Range } from './tiers.ts'

export interface ReconcileDeps {
  pool: pg.Pool
  clock: Clock
  /** IANA name. */
  timeZone: () => string
  /** Where raw lines are; undefined: nowhere. */
  store: { ready(): Promise<Analytics>; wasAway(): void } | undefined
  /** Whether nodes kept only some of their raw lines at any time since then (Unix seconds). */
  sampledSince: (from: number) => Promise<boolean>
  /** Tells the staff; a second notice of the same key is not made. */
  tell: (tx: Queryable, vars: Record<string, string>, dedupKey: string) => Promise<unknown>
  /** Sites of one step. */
  rangeSites?: number
}

/** Cells of a step: 24 hours of so many sites. */
const RANGE_SITES = 5_000
const RAW_DAYS = 29
const DAY_S = 86_400

/** One run as one process does it. */
interface Work {
  deps: ReconcileDeps
  run: Run
  days: Day[]
  raw: RawState
  /** Raw lines before this moment are gone on purpose. */
  rawSince: number
  /** Days that began before this moment were cut in another zone. */
  zoneSince: number
}

const rawState = async ({ store, sampledSince }: ReconcileDeps, from: number): Promise<RawState> => {
  if (!store) return 'none'
  return (await sampledSince(from)) ? 'sampled' : 'compared'
}

const prepare = async (deps: ReconcileDeps, params: Params): Promise<Work> => {
  const { pool, clock } = deps
  const run = await beginRun(pool, params, deps.timeZone(), clock.now())
  const { rows } = await pool.query<{ raw: number; zone: number }>(
    `SELECT raw_since AS raw, coalesce(ceil(extract(epoch FROM time_zone_since)), 0)::bigint AS zone FROM stats_state`,
  )
  const [state] = rows
  const days = await daysOf(pool, run)
  return {
    deps,
    run,
    days,
    raw: await rawState(deps, days[0]?.from ?? run.until),
    rawSince: Math.max(state?.raw ?? 0, run.until - RAW_DAYS * DAY_S),
    zoneSince: state?.zone ?? 0,
  }
}

const moved = async (work: Work, next: At, found: (client: pg.PoolClient, tx: Queryable) => Promise<Found>) => {
  await inTransaction(work.deps.pool, async (client, tx) => pass(client, work.run, next, await found(client, tx)))
  work.run = { ...work.run, at: next }
}

/** Minutes against the hour, both against what was counted by node and in all. */
const hourStep = async (work: Work, hour: number, next: At) => {
  const { worst, repair } = work.run.params
  const seen = await lookAtHour(work.deps.pool, hour, worst)
  const mend = repair && seen.count > 0
  await moved(work, next, async (client, tx) => ({
    ...NOTHING,
    ...(mend ? await repairHour(client, tx, hour, worst) : seen),
  }))
}

/** The last site of the next step; null: this step is the day's last. */
const rangeEnd = async ({ deps }: Work, day: Day, after: number): Promise<number | null> => {
  const size = deps.rangeSites ?? RANGE_SITES
  const { rows } = await deps.pool.query<{ site: number }>(
    'SELECT site FROM rollup_day WHERE day = $1 AND site > $2 ORDER BY site OFFSET $3 LIMIT 1',
    [day.date, after, size - 1],
  )
  return rows[0]?.site ?? null
}

const NO_STEP: Step = { compared: 0, count: 0, repaired: 0, gaps: [] }

const rawGap = ({ hour, ...gap }: RawGap): Gap => ({ kind: 'raw', at: hour, ...gap, state: 'open' })
const lacking = ({ wanted, found }: Gap) => Math.max(0, (wanted.requests ?? 0) - (found.requests ?? 0))

/** Hours against raw lines. A store that is away is a state that the overview shows already. */
const rawStep = async (work: Work, hours: readonly number[], range: Range): Promise<Found> => {
  const { deps, run, raw } = work
  if (raw !== 'compared' || !deps.store) return NOTHING
  try {
    const store = await deps.store
      .ready()
      .catch((cause: Error) => Promise.reject(new StoreAway(cause.message, { cause })))
    const asked = hours.filter((hour) => hour >= work.rawSince)
    const { tolerance, worst } = run.params
    const found = await compareRaw({ sql: deps.pool, store, hours: asked, range, tolerance })
    const gaps = found.gaps.map(rawGap).sort((a, b) => b.difference - a.difference || (a.site ?? 0) - (b.site ?? 0))
    return {
      ...NOTHING,
      compared: found.compared,
      count: gaps.length,
      short: gaps.filter((gap) => lacking(gap) > 0).length,
      missing: gaps.reduce((sum, gap) => sum + lacking(gap), 0),
      gaps: gaps.slice(0, worst),
    }
  } catch (error) {
    if (!(error instanceof StoreAway)) throw error
    deps.store.wasAway()
    work.raw = 'away'
    return NOTHING
  }
}

/** Hours against the day, and against raw lines, for some sites. */
const rangeStep = async (work: Work, day: Day, range: Range, next: At) => {
  const { deps, run } = work
  const { worst, repair } = run.params
  const whole = day.to <= run.until
  const comparable = day.from >= work.zoneSince
  const seen = whole && comparable ? await lookAtDay(deps.pool, day, range, worst) : NO_STEP
  const raw = await rawStep(work, hoursOf(day, run.until), range)
  const mend = repair && seen.count > 0
  await moved(work, next, async (client, tx) => {
    const tier = mend ? await repairDay(client, tx, day, { range, worst }) : seen
    return {
      ...raw,
      compared: raw.compared + tier.compared,
      count: raw.count + tier.count,
      repaired: tier.repaired,
      skipped: whole && !comparable && range.after < 0 ? 1 : 0,
      gaps: [...tier.gaps, ...raw.gaps],
    }
  })
}

const dayWork = async (work: Work, n: number, { signal, progress }: TaskContext) => {
  const day = work.days[n] as Day
  const hours = hoursOf(day, work.run.until)
  const share = (part: number) => progress((100 * (n + part)) / work.days.length)
  for (let i = work.run.at.hour; i < hours.length; i++) {
    signal.throwIfAborted()
    await hourStep(work, hours[i] as number, { day: n, hour: i + 1, after: -1 })
    share((i + 1) / (2 * hours.length))
  }
  for (let after: number | null = work.run.at.after; after !== null; ) {
    signal.throwIfAborted()
    const upTo = await rangeEnd(work, day, after)
    const next = upTo === null ? { day: n + 1, hour: 0, after: -1 } : { day: n, hour: hours.length, after: upTo }
    await rangeStep(work, day, { after, upTo }, next)
    after = upTo
  }
  share(1)
}

const localDate = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)

/** Ends the run and tells of it, in one transaction. */
const end = ({ deps, run, days, raw }: Work): Promise<Ended> =>
  inTransaction(deps.pool, async (client, tx) => {
    const now = deps.clock.now()
    const ended = await endRun(client, run, raw, days[0]?.from ?? run.until, now)
    if (ended.open === 0 && ended.repaired === 0) return ended
    const { open, repaired, missing } = ended
    const vars = { open, repaired, missing, from: run.firstDay, to: localDate(run.until * 1000 - 1, run.zone) }
    const texts = Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)]))
    await deps.tell(tx, texts, `figures_differ ${localDate(now, deps.timeZone())}`)
    return ended
  })

/** Compares; goes on with the run of the same parameters that a killed process left. */
export const reconcile = async (deps: ReconcileDeps, params: Params, context: TaskContext): Promise<TaskResult> => {
  const work = await prepare(deps, params)
  const report = work.run.id
  try {
    for (let n = work.run.at.day; n < work.days.length; n++) await dayWork(work, n, context)
    const ended = await end(work)
    return { report, ...ended, raw: work.raw }
  } catch (error) {
    if (error instanceof Elsewhere) return { report, elsewhere: true }
    throw error
  }
}

export const reconcileTask = (deps: ReconcileDeps): TaskKind =>
  taskKind({
    kind: 'usage.reconcile',
    title: { zh: '用量对账', en: 'Usage reconciliation' },
    about: {
      zh: '核对分钟、小时、天、节点与总计各级用量是否一致，并与原始日志核对；发现差异时通知管理员，可用更细一级的数据修复',
      en: 'Compares the sums by minute, hour, day, node and in all with each other and with the raw lines. Tells the staff what differs; coarser sums can be repaired from the finer ones.',
    },
    params: z.strictObject({
      days: z.int().min(1).max(30).default(2),
      tolerance: z.int().min(0).max(1_000_000_000).default(10),
      worst: z.int().min(1).max(1000).default(200),
      repair: z.boolean().default(false),
    }),
    fields: {
      days: { zh: '回溯天数', en: 'Days back' },
      tolerance: { zh: '与原始日志的允许差异（请求数）', en: 'Tolerated difference to raw lines (requests)' },
      worst: { zh: '最多列出的差异', en: 'Most differences listed' },
      repair: { zh: '修复汇总数据', en: 'Repair sums' },
    },
    cron: '20 4 * * *',
    timeout: 7200,
    lost: 'retry',
    run: (params, context) => reconcile(deps, params, context),
  })
