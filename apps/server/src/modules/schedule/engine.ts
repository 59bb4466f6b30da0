/** One process's part in running tasks: every second it makes runs of what is due, takes those of dead processes, and runs what waits. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { TaskKind } from '../../platform/task.ts'
import { again, claim, finish, type Run, takeLost } from './claim.ts'
import { makeDue, rezone } from './due.ts'
import { execute } from './execute.ts'

export interface EngineDeps {
  db: Db
  clock: Clock
  log: Log
  kinds: () => readonly TaskKind[]
  /** IANA name of the installation's zone. */
  timeZone: () => string
  /** Tells the operator of a run that failed; in the transaction that says so. */
  alert: (tx: Tx, run: Run, reason: string) => Promise<void>
  /** Milliseconds after which a silent run's process counts as dead. */
  leaseMs?: number
  /** Milliseconds that a run has to heed the end of its signal. */
  graceMs?: number
  /** Runs at a time. */
  concurrency?: number
}

export interface Engine {
  runner: string
  /** What happens each second; rejects when the database does. */
  tick(): Promise<void>
  /** Begins what waits, without waiting for the second. */
  wake(): void
  /** Resolves when nothing runs here. */
  idle(): Promise<void>
  /** Ticks by itself until stopped. */
  start(): void
  stop(): Promise<void>
}

const TICK_MS = 1000
const LEASE_MS = 30_000
const GRACE_MS = 5_000
const CONCURRENCY = 4

/** Runs what is claimed and writes how it ended. */
const createRuns = (deps: EngineDeps, runner: string, leaseMs: number) => {
  const running = new Map<number, { done: Promise<void>; abort: AbortController }>()

  const tell = async (tx: Tx, run: Run, reason: string) => {
    // In a savepoint: a notice that cannot be made must not undo what is written of the run.
    await tx
      .transaction((inner) => deps.alert(inner, run, reason))
      .catch((error: Error) => deps.log.error({ err: error, run: run.id }, 'alert of a failed task'))
  }
  const lose = async (tx: Tx, run: Run, reason: string) => {
    if (!(await again(tx, run, deps.clock.now()))) await tell(tx, run, reason)
  }
  const work = async (run: Run, abort: AbortController) => {
    const kind = deps.kinds().find((one) => one.kind === run.kind)
    if (kind === undefined) throw new Error(`no task of kind ${run.kind}`)
    const end = await execute(deps, {
      run,
      kind,
      runner,
      abort,
      beatMs: leaseMs / 3,
      graceMs: deps.graceMs ?? GRACE_MS,
    })
    if (end === null) return
    await deps.db.transaction(async (tx) => {
      if (!(await finish(tx, run.id, runner, end, deps.clock.now()))) return
      if (end.state === 'lost') await lose(tx, run, end.error)
      else if (end.state !== 'done') await tell(tx, run, end.error)
    })
  }
  return {
    running,
    begin: (run: Run, after: () => void) => {
      const abort = new AbortController()
      const done = work(run, abort)
        .catch((error: Error) => deps.log.error({ err: error, run: run.id }, 'the end of a task could not be written'))
        .finally(() => {
          running.delete(run.id)
          after()
        })
      running.set(run.id, { done, abort })
    },
    reap: () =>
      deps.db.transaction(async (tx) => {
        for (const run of await takeLost(tx, leaseMs, deps.clock.now())) {
          deps.log.warn({ run: run.id, kind: run.kind }, 'a task was lost with its process')
          await lose(tx, run, 'the process that ran it ended')
        }
      }),
  }
}

export const createEngine = (deps: EngineDeps): Engine => {
  const { db, clock, log } = deps
  const runner = `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`
  const runs = createRuns(deps, runner, deps.leaseMs ?? LEASE_MS)
  let filling: Promise<void> | undefined
  let again = false
  let stopped = false
  let zone: string | undefined
  let timer: NodeJS.Timeout | undefined
  let ticking: Promise<void> = Promise.resolve()

  const names = () => deps.kinds().map((one) => one.kind)
  const fillOnce = async () => {
    const kinds = names()
    while (!stopped && runs.running.size < (deps.concurrency ?? CONCURRENCY)) {
      const run = await claim(db, runner, kinds, clock.now())
      if (run === null) return
      runs.begin(run, wake)
    }
  }
  /** One at a time; asked for meanwhile, it goes once more. */
  const fill = (): Promise<void> => {
    again = true
    filling ??= (async () => {
      while (again) {
        again = false
        await fillOnce()
      }
    })().finally(() => {
      filling = undefined
    })
    return filling
  }
  const wake = () => {
    if (!stopped) fill().catch((error: Error) => log.warn({ err: error }, 'claiming tasks'))
  }
  const tick = async () => {
    const now = clock.now()
    const present = deps.timeZone()
    if (present !== zone) await rezone(db, present, now)
    zone = present
    await makeDue(db, names(), present, now)
    await runs.reap()
    await fill()
  }
  const idle = async () => {
    while (filling !== undefined || runs.running.size > 0)
      await Promise.all([filling, ...[...runs.running.values()].map((one) => one.done)])
  }
  const later = () => {
    timer = setTimeout(() => {
      ticking = tick()
        .catch((error: Error) => log.warn({ err: error }, 'tick of the schedule'))
        .finally(() => {
          if (!stopped) later()
        })
    }, TICK_MS)
  }
  return {
    runner,
    tick,
    wake,
    idle,
    start: later,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await ticking
      for (const { abort } of runs.running.values()) abort.abort('stopped')
      await idle()
    },
  }
}
