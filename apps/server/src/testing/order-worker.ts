/** A process that works off orders for certificates: a test kills it in the middle. */
import { startJobs } from '../platform/jobs.ts'
import { createLog } from '../platform/log.ts'
import { openPlane } from './plane.ts'

const url = process.env.DATABASE_URL ?? ''
const database = { appUrl: url, ownerUrl: url, drop: async () => {} }
const plane = await openPlane({ database: database as never, roles: ['worker'] })
await startJobs({ url, jobs: plane.plane.part.jobs ?? [], log: createLog('silent', 'orders') })
process.stdout.write('ready\n')
