/** Jobs on graphile-worker, in the same database: added in the writer's own transaction, run by the role worker. */

import { EventEmitter } from 'node:events'
import { sql } from 'drizzle-orm'
import { Logger, parseCronItems, run, runMigrations, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { Queryable } from './db.ts'
import { holdWorkerLocks } from './job-locks.ts'
import type { Log } from './log.ts'

export interface JobDefinition {
  name: string
  /** Runs one job; may run again after a crash. `payload` is what was added; a timed one carries graphile-worker's `_cron`. */
  run(payload: unknown): Promise<void>
  /** Cron expression in UTC, for jobs that come by the clock. */
  cron?: string
}

export interface JobOptions {
  runAt?: Date
  /** A waiting job of the same key is replaced. */
  key?: string
  maxAttempts?: number
}

/** Adds a job; it exists only if `tx` commits. */
export const addJob = async (tx: Queryable, name: string, payload: object, options: JobOptions = {}): Promise<void> => {
  await tx.execute(sql`SELECT graphile_worker.add_job(${name}, payload := ${JSON.stringify(payload)}::json,
    run_at := ${options.runAt?.toISOString() ?? null}::timestamptz, job_key := ${options.key ?? null}::text,
    max_attempts := ${options.maxAttempts ?? null}::int)`)
}

const SILENT = new Logger(() => () => {})

/** The queue's tables have row level security; a policy lets the runtime role in (where there is one beside the owner). */
const GRANT = `DO $$
DECLARE name text;
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'tidegate_app') THEN
    GRANT USAGE ON SCHEMA graphile_worker TO tidegate_app;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO tidegate_app;
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA graphile_worker TO tidegate_app;
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO tidegate_app;
    REVOKE INSERT, UPDATE, DELETE ON graphile_worker.migrations FROM tidegate_app;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'graphile_worker' AND rowsecurity LOOP
      EXECUTE format('DROP POLICY IF EXISTS tidegate_app ON graphile_worker.%I', name);
      EXECUTE format('CREATE POLICY tidegate_app ON graphile_worker.%I TO tidegate_app USING (true) WITH CHECK (true)', name);
    END LOOP;
  END IF;
END $$`

/** Installs or upgrades the queue's own schema with the owner's rights and lets the runtime role use it. */
export const migrateJobs = async (owner: pg.Client, ownerUrl: string): Promise<void> => {
  await runMigrations({ connectionString: ownerUrl, logger: SILENT })
  await owner.query(GRANT)
}

export interface JobRunner {
  stop(): Promise<void>
}

export interface JobRunnerDeps {
  url: string
  jobs: readonly JobDefinition[]
  log: Log
  concurrency?: number
  /** Milliseconds between looks for jobs of dead workers. */
  reapEvery?: number
}

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const

/** Runs jobs until stopped. Jobs of workers that were killed are unlocked (see job-locks.ts). */
export const startJobs = async (deps: JobRunnerDeps): Promise<JobRunner> => {
  const events: WorkerEvents = new EventEmitter()
  const pool = new pg.Pool({ connectionString: deps.url, max: 4, application_name: 'tidegate-jobs' })
  const lost = (error: Error) => deps.log.warn({ err: error.message }, 'job connection lost')
  // A client that is checked out reports its end itself; the pool does so only for idle ones.
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  const locks = await holdWorkerLocks({ url: deps.url, events, log: deps.log, every: deps.reapEvery ?? 10_000 })
  const timed = deps.jobs.flatMap((job) => (job.cron ? [{ task: job.name, match: job.cron }] : []))
  const runner = await run({
    pgPool: pool,
    events,
    concurrency: deps.concurrency ?? 2,
    noHandleSignals: true,
    pollInterval: 2_000,
    logger: new Logger(() => (level, message) => deps.log[LEVELS[level]](message)),
    taskList: Object.fromEntries(deps.jobs.map((job) => [job.name, (payload: unknown) => job.run(payload)])),
    parsedCronItems: parseCronItems(timed),
  })
  return {
    stop: async () => {
      await runner.stop()
      await locks.release()
      await pool.end()
    },
  }
}
