/** What modules are built from, opened once at the start. */
import { mkdir } from 'node:fs/promises'
import { type Bus, openBus } from './platform/bus.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { type Database, openDatabase } from './platform/db.ts'
import { type Disk, watchDisk } from './platform/disk.ts'
import type { Env } from './platform/env.ts'
import type { Log } from './platform/log.ts'
import { readMasterKey } from './platform/master-key.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { createSecrets, type Secrets } from './platform/secrets.ts'

export interface Context {
  env: Env
  log: Log
  clock: Clock
  database: Database
  bus: Bus
  secrets: Secrets
  disk: Disk
  metrics: Metrics
}

/** Opens what the modules stand on. `clock` and `log` come from outside so that tests can set them. */
export const openContext = async (env: Env, log: Log, clock: Clock = systemClock): Promise<Context> => {
  await mkdir(env.TIDEGATE_DATA, { recursive: true, mode: 0o700 })
  const secrets = createSecrets(await readMasterKey(env.TIDEGATE_DATA, env.TIDEGATE_MASTER_KEY))
  const database = openDatabase(env.DATABASE_URL, (error) =>
    log.warn({ err: error.message }, 'database connection lost'),
  )
  const bus = await openBus(env.DATABASE_URL, log)
  const disk = await watchDisk(env.TIDEGATE_DATA)
  return { env, log, clock, database, bus, secrets, disk, metrics: createMetrics() }
}

/** Closes what `openContext` opened. */
export const closeContext = async (context: Context): Promise<void> => {
  context.disk.stop()
  await context.bus.close()
  await context.database.close()
}
