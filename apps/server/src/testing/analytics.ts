/** A real analytics store for tests: the chdb process of this repository on a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeScratch } from '@tidegate/testkit/scratch'

const MAIN = join(import.meta.dirname, '../../../chdb/src/main.ts')

export interface TestAnalytics {
  url: string
  /** Kills the process the hard way and waits for its end. */
  kill(): Promise<void>
  /** Starts it again on the same folder and port. */
  start(): Promise<void>
  /** Ends it and removes the folder. */
  drop(): Promise<void>
}

/** Starts a store; `url` is a CLICKHOUSE_URL. */
export const testAnalytics = async (): Promise<TestAnalytics> => {
  const dir = makeScratch('tgch-')
  const announced = join(dir, 'store.json')
  let child: ChildProcess | undefined
  let port = 0

  const start = async () => {
    rmSync(announced, { force: true })
    const env = {
      PATH: process.env.PATH,
      TIDEGATE_CHDB_DIR: dir,
      TIDEGATE_CHDB_KEY: 'test',
      TIDEGATE_CHDB_PORT: String(port),
    }
    child = spawn(process.execPath, ['--import', 'tsx', MAIN], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr?.on('data', (part: Buffer) => {
      said += part.toString()
    })
    const deadline = Date.now() + 30_000
    while (!existsSync(announced)) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`the analytics store did not start: ${said}`)
      await delay(20)
    }
    port = (JSON.parse(readFileSync(announced, 'utf8')) as { port: number }).port
  }
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  await start()
  return {
    url: `http://tidegate:test@127.0.0.1:${port}/tidegate`,
    kill: () => end('SIGKILL'),
    start,
    drop: async () => {
      await end('SIGKILL')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
