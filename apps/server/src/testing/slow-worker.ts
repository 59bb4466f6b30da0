/** A process with a job that never ends: a test kills it in the middle. */
import { startJobs } from '../platform/jobs.ts'
import { createLog } from '../platform/log.ts'

const run = () => {
  process.stdout.write('running\n')
  return new Promise<void>(() => {})
}
await startJobs({
  url: process.env.DATABASE_URL ?? '',
  jobs: [{ name: 'test.slow', run }],
  log: createLog('silent', 'slow'),
})
