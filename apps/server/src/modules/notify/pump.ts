/**
 * Delivers what waits in the queue. A notice is claimed with a lease; `handed_at` is committed immediately before the peer may get it. When
 * a worker dies before that, another sends it; when it dies after, nobody can know whether it arrived: then only a webhook, whose receiver
 * can tell repetitions, is sent again, and everything else ends as `unknown`.
 */
import type { NotifyState } from '@tidegate/contract/config/notify'
import { sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { row } from '../../platform/query.ts'
import { DeliveryError, LostLease, withoutSecrets } from './fault.ts'
import type { Notice } from './schema.ts'
import { notices } from './schema.ts'

/** Longer than the longest try. */
const LEASE_MS = 120_000
/** Seconds before each further try. */
export const BACK_OFF = [10, 60, 300, 1800, 7200] as const
const AT_ONCE = 8
/** Longest sleep before the queue is looked at again. */
const LOOK_MS = 60_000

export interface Delivered {
  subject: string
  answer: string
}

/** One try. `handing` as in channels/types.ts; throws DeliveryError. */
export type Deliver = (notice: Notice, handing: () => Promise<void>) => Promise<Delivered>

export interface PumpDeps {
  db: Db
  clock: Clock
  log: Log
  deliver: Deliver
  /** Never to be stored in an answer. */
  secrets: (notice: Notice) => Promise<readonly string[]>
}

export interface Pump {
  /** Looks for work, unless it does so already; does not wait for its end. */
  wake(): void
  /** Works until nothing is due. */
  drain(): Promise<void>
  stop(): Promise<void>
}

const iso = (ms: number) => new Date(ms).toISOString()

/** Notices whose worker is gone: back into the queue, or given up as unknown. */
const reclaim = async (db: Db, now: number) => {
  await db.execute(sql`UPDATE notice SET lease_until = NULL,
      state = CASE WHEN handed_at IS NULL OR channel = 'webhook' THEN 'queued' ELSE 'unknown' END,
      fault = CASE WHEN handed_at IS NULL OR channel = 'webhook' THEN fault ELSE 'silent' END,
      answer = CASE WHEN handed_at IS NULL OR channel = 'webhook' THEN answer ELSE 'the sender was stopped while handing over' END,
      next_at = CASE WHEN handed_at IS NULL OR channel = 'webhook' THEN ${iso(now)}::timestamptz END,
      finished_at = CASE WHEN handed_at IS NULL OR channel = 'webhook' THEN NULL ELSE ${iso(now)}::timestamptz END,
      sealed = CASE WHEN handed_at IS NULL OR channel = 'webhook' THEN sealed END,
      handed_at = CASE WHEN handed_at IS NULL OR channel = 'webhook' THEN NULL ELSE handed_at END
    WHERE state = 'sending' AND lease_until <= ${iso(now)}`)
}

const claim = async (db: Db, now: number, limit: number): Promise<Notice[]> =>
  db
    .update(notices)
    .set({
      state: 'sending',
      attempts: sql`${notices.attempts} + 1`,
      leaseUntil: new Date(now + LEASE_MS),
      handedAt: null,
    })
    .where(
      sql`${notices.id} IN (SELECT id FROM notice WHERE state = 'queued' AND next_at <= ${iso(now)}
          ORDER BY next_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
    )
    .returning()

/** What a try came to. */
interface Outcome {
  state: NotifyState
  fault: Notice['fault']
  answer: string
  subject: string
  nextAt: string | null
}

const STATE_OF = { fail: 'failed', unknown: 'unknown', skip: 'skipped' } as const

const outcomeOf = (error: unknown, attempts: number, now: number): Omit<Outcome, 'subject'> => {
  const known = error instanceof DeliveryError ? error : new DeliveryError('temporary', String(error), 'retry')
  const { fault, message: answer } = known
  if (known.next !== 'retry') return { state: STATE_OF[known.next], fault, answer, nextAt: null }
  const wait = BACK_OFF[attempts - 1]
  return wait === undefined
    ? { state: 'failed', fault, answer, nextAt: null }
    : { state: 'queued', fault, answer, nextAt: iso(now + wait * 1000) }
}

/** Stores the outcome, unless another worker has the notice by now. */
const finish = async ({ db, clock }: PumpDeps, notice: Notice, outcome: Outcome) => {
  const done = outcome.nextAt === null
  await db.execute(sql`UPDATE notice SET state = ${outcome.state}, fault = ${outcome.fault}, answer = ${outcome.answer},
      subject = CASE WHEN ${outcome.subject} = '' THEN subject ELSE ${outcome.subject} END, next_at = ${outcome.nextAt}::timestamptz,
      lease_until = NULL, finished_at = ${done ? iso(clock.now()) : null}::timestamptz, sealed = CASE WHEN ${done} THEN NULL ELSE sealed END
    WHERE id = ${notice.id} AND state = 'sending' AND attempts = ${notice.attempts}`)
}

const tryOnce = async (deps: PumpDeps, notice: Notice): Promise<void> => {
  const { db, clock, log } = deps
  const handing = async () => {
    const now = clock.now()
    const mine = await row(
      db,
      sql`UPDATE notice SET handed_at = ${iso(now)}, lease_until = ${iso(now + LEASE_MS)}
          WHERE id = ${notice.id} AND state = 'sending' AND attempts = ${notice.attempts} AND lease_until > ${iso(now)} RETURNING id`,
    )
    if (!mine) throw new LostLease(`notice ${notice.id} was taken over`)
  }
  let outcome: Outcome
  try {
    if (notice.expiresAt && notice.expiresAt.getTime() <= clock.now())
      throw new DeliveryError('expired', 'too late to be of use', 'skip')
    outcome = { state: 'sent', fault: 'none', nextAt: null, ...(await deps.deliver(notice, handing)) }
  } catch (error) {
    if (error instanceof LostLease) return
    outcome = { ...outcomeOf(error, notice.attempts, clock.now()), subject: '' }
    log.warn(
      { notice: notice.id, channel: notice.channel, fault: outcome.fault, state: outcome.state },
      'notice not sent',
    )
  }
  const answer = withoutSecrets(outcome.answer, await deps.secrets(notice))
  await finish(deps, notice, { ...outcome, answer })
}

/** Milliseconds until something is due or a lease ends; null when nothing waits. */
const nextLook = async (db: Db, now: number): Promise<number | null> => {
  const found = await row<{ at: string | null }>(
    db,
    sql`SELECT least((SELECT min(next_at) FROM notice WHERE state = 'queued'),
                     (SELECT min(lease_until) FROM notice WHERE state = 'sending')) AS at`,
  )
  return found?.at ? Math.max(100, Math.min(LOOK_MS, new Date(found.at).getTime() - now)) : null
}

export const createPump = (deps: PumpDeps): Pump => {
  const running = new Set<Promise<void>>()
  let round: Promise<void> | null = null
  let again = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  const start = (notice: Notice) => {
    const work = tryOnce(deps, notice)
      .catch((error: Error) => deps.log.error({ err: error, notice: notice.id }, 'notice'))
      .finally(() => running.delete(work))
    running.add(work)
  }
  const turns = async () => {
    do {
      again = false
      await reclaim(deps.db, deps.clock.now())
      for (;;) {
        const claimed = stopped ? [] : await claim(deps.db, deps.clock.now(), AT_ONCE - running.size)
        claimed.forEach(start)
        if (running.size === 0) break
        await Promise.race(running)
      }
    } while (again && !stopped)
  }
  /** Ends in one step with the last look at `again`, so that no wake gets lost in between. */
  const work = async () => {
    try {
      await turns()
    } finally {
      round = null
    }
  }
  const drain = (): Promise<void> => {
    again = true
    clearTimeout(timer)
    round ??= work()
    return round
  }
  const sleep = async () => {
    const wait = stopped ? null : await nextLook(deps.db, deps.clock.now())
    clearTimeout(timer)
    if (wait !== null && !stopped) timer = setTimeout(wake, wait).unref()
  }
  const wake = () => {
    if (stopped) return
    drain()
      .then(sleep)
      .catch((error: Error) => deps.log.error({ err: error }, 'queue of notices'))
  }
  return {
    wake,
    drain,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await round?.catch(() => {})
      await Promise.all(running)
    },
  }
}
