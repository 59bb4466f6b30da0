/** One PostgreSQL for a whole test run (fsync off), started by vitest's global set-up and handed to the workers by environment. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openCluster } from '@tidegate/embedded/cluster'
import { makeScratch } from './scratch.ts'

const HANDLE = 'TIDEGATE_TEST_CLUSTER'

interface Handle {
  superUrl: string
  ownerUrl: string
  appUrl: string
}

/** vitest's global set-up; the function it answers is the tear-down. */
export const setup = async (): Promise<() => Promise<void>> => {
  const dir = makeScratch('tgpg-')
  const cluster = await openCluster({ dir: join(dir, 'data'), runDir: join(dir, 'run'), fsync: false })
  const handle: Handle = { superUrl: cluster.superUrl, ownerUrl: cluster.ownerUrl, appUrl: cluster.appUrl }
  process.env[HANDLE] = JSON.stringify(handle)
  return async () => {
    await cluster.stop(5_000)
    rmSync(dir, { recursive: true, force: true })
  }
}

export const testCluster = (): Handle => {
  const text = process.env[HANDLE]
  if (!text)
    throw new Error('no test cluster: add packages/testkit/src/test-cluster.ts as globalSetup of the vitest project')
  return JSON.parse(text) as Handle
}
