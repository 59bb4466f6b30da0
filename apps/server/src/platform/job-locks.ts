/**
 * A killed worker leaves its jobs locked for four hours, by graphile-worker's own rule. So each process holds a session advisory lock for
 * each of its workers, which PostgreSQL frees with the connection; and each looks from time to time for jobs whose worker's lock is free,
 * and unlocks them. Should a live process lose its connection, a job may run twice: jobs are written for that.
 */
import type { WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { Log } from './log.ts'

const SPACE = 7_413_002
/** A worker's lock is taken just after its birth: younger job locks are left alone. */
const YOUNG = '5 seconds'

const DEAD = `SELECT DISTINCT locked_by AS id FROM graphile_worker._private_jobs
  WHERE locked_by IS NOT NULL AND locked_at < now() - interval '${YOUNG}'`

interface Deps {
  url: string
  events: WorkerEvents
  log: Log
  /** Milliseconds. */
  every: number
}

/** Takes the lock of every worker that `events` reports, and reaps until released. */
export const holdWorkerLocks = async (deps: Deps): Promise<{ release(): Promise<void> }> => {
  const own = new Set<string>()
  let client: pg.Client | undefined
  let ended = false

  const open = async () => {
    const next = new pg.Client({ connectionString: deps.url, application_name: 'tidegate-worker' })
    next.on('error', (error) => deps.log.warn({ err: error.message }, 'worker lock connection lost'))
    next.on('end', () => {
      if (client === next) client = undefined
    })
    await next.connect()
    client = next
    for (const id of own) await lock(id)
    return next
  }
  const lock = async (id: string) => {
    await client?.query('SELECT pg_advisory_lock($1, hashtext($2))', [SPACE, id])
  }
  const reap = async () => {
    const at = client ?? (await open())
    const { rows } = await at.query<{ id: string }>(DEAD)
    for (const { id } of rows.filter((row) => !own.has(row.id))) await unlockIfDead(at, id, deps.log)
  }
  deps.events.on('worker:create', ({ worker }) => {
    own.add(worker.workerId)
    lock(worker.workerId).catch((error: Error) => deps.log.warn({ err: error.message }, 'worker lock not taken'))
  })
  await open()
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = running
      .then(() => (ended ? undefined : reap()))
      .catch((error: Error) => deps.log.warn({ err: error.message }, 'reaping failed'))
  }, deps.every)
  return {
    release: async () => {
      ended = true
      clearInterval(timer)
      await running
      await client?.end().catch(() => {})
    },
  }
}

const unlockIfDead = async (client: pg.Client, id: string, log: Log): Promise<void> => {
  const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1, hashtext($2)) AS free', [
    SPACE,
    id,
  ])
  if (!rows[0]?.free) return
  try {
    await client.query('SELECT graphile_worker.force_unlock_workers($1)', [[id]])
    log.warn({ worker: id }, 'jobs of a dead worker were unlocked')
  } finally {
    await client.query('SELECT pg_advisory_unlock($1, hashtext($2))', [SPACE, id])
  }
}
