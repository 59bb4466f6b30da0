/** A process that runs the schedule, with a task that never ends: a test kills it in the middle. */
import { z } from 'zod'
import { createEngine } from '../modules/schedule/engine.ts'
import { systemClock } from '../platform/clock.ts'
import { openDatabase } from '../platform/db.ts'
import { createLog } from '../platform/log.ts'
import { taskKind } from '../platform/task.ts'

const database = openDatabase(process.env.DATABASE_URL ?? '', () => {})
const words = { zh: 'test', en: 'test' }
const kind = taskKind({
  kind: 'test.work',
  title: words,
  about: words,
  params: z.looseObject({}),
  cron: '* * * * *',
  run: () => {
    process.stdout.write('running\n')
    return new Promise(() => {})
  },
})
createEngine({
  db: database.db,
  clock: systemClock,
  log: createLog('silent', 'task-worker'),
  kinds: () => [kind],
  timeZone: () => 'UTC',
  alert: async () => {},
  leaseMs: Number(process.env.LEASE_MS),
}).start()
