import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export interface StoreProcess {
  child: ChildProcess
  url: string
}

export const storeKey = 'the-tests-own-key'

/** Starts the real process on a folder and resolves once it answers; rejects with what it printed when it ends. */
export async function startStore(dir: string, env: NodeJS.ProcessEnv = {}): Promise<StoreProcess> {
  rmSync(join(dir, 'store.json'), { force: true })
  const main = join(import.meta.dirname, '..', 'src', 'main.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    env: { ...process.env, TIDEGATE_CHDB_DIR: dir, TIDEGATE_CHDB_KEY: storeKey, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  const deadline = Date.now() + 30_000
  while (child.exitCode === null && child.signalCode === null) {
    const port = announcedPort(dir, child.pid)
    if (port) return { child, url: `http://tidegate:${storeKey}@127.0.0.1:${port}/` }
    if (Date.now() > deadline) break
    await delay(20)
  }
  await endStore(child, 'SIGKILL')
  throw new Error(printed || 'the store did not start')
}

/** Sends the signal and waits for the end. */
export async function endStore(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

function announcedPort(dir: string, pid: number | undefined): number | undefined {
  try {
    const state = JSON.parse(readFileSync(join(dir, 'store.json'), 'utf8')) as { pid: number; port: number }
    return state.pid === pid ? state.port : undefined
  } catch {
    return undefined
  }
}
