/** Finding, starting and stopping the engine's master process. It is detached: it outlives the agent and is adopted again. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EnginePaths, nginxCommand } from '@tidegate/engine-files/engine-root'
import { z } from 'zod'
import { readIfExists, writeFileAtomic } from '../files.ts'
import type { EngineLayout } from './layout.ts'
import { dismissOrphans } from './orphans.ts'
import { isAlive, type ProcessId, signalProcess, startTimeOf } from './proc.ts'

const masterFile = z.object({ pid: z.int(), startTime: z.string() })
const STOP_GRACE_MS = 5_000
const LONGEST_OUTPUT = 2_000

const pathsOf = ({ errorLog, runtimeDir }: EngineLayout, conf: string) => ({ conf, errorLog, runtimeDir })

async function identify(pid: number): Promise<ProcessId | undefined> {
  const startTime = await startTimeOf(pid)
  return startTime === undefined ? undefined : { pid, startTime }
}

/** The master that nginx's own pid file names, if its command line shows that it runs with our nginx.conf. */
async function fromPidFile(layout: EngineLayout): Promise<ProcessId | undefined> {
  const pid = Number((await readIfExists(layout.sockets.pid))?.trim())
  if (!Number.isInteger(pid) || pid <= 1) return undefined
  const id = await identify(pid)
  if (id === undefined) return undefined
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return title.includes('nginx') && title.includes(layout.confPath) ? id : undefined
}

/** The living master of this node from an earlier run of the agent, or undefined. */
export async function findMaster(layout: EngineLayout): Promise<ProcessId | undefined> {
  const text = await readIfExists(layout.pidFile)
  const noted = text === undefined ? undefined : masterFile.safeParse(JSON.parse(text)).data
  if (noted !== undefined && (await isAlive(noted))) return noted
  // The agent may have been killed between starting nginx and noting it down.
  return fromPidFile(layout)
}

export async function noteMaster(layout: EngineLayout, id: ProcessId): Promise<void> {
  await writeFileAtomic(layout.pidFile, `${JSON.stringify(id)}\n`)
}

/** Starts nginx detached and gives its master. Does not wait until it serves. Throws when it cannot be started at all. */
export async function startMaster(engine: EnginePaths, layout: EngineLayout): Promise<ProcessId> {
  await dismissOrphans(layout.runtimeDir)
  // nginx does not replace the sockets that a killed master has left.
  await rm(layout.sockets.admin, { force: true })
  await rm(layout.sockets.inner, { force: true })
  const command = nginxCommand(engine, pathsOf(layout, layout.confPath), 'start')
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin', ...command.env },
  })
  await once(child, 'spawn')
  child.unref()
  const id = child.pid === undefined ? undefined : await identify(child.pid)
  if (id === undefined) throw new Error('the engine ended at once')
  await noteMaster(layout, id)
  return id
}

/** Runs `nginx -t` on a file. Gives what it complained about, or undefined when the file is good. */
export async function testConf(
  engine: EnginePaths,
  confPath: string,
  layout: EngineLayout,
): Promise<string | undefined> {
  const command = nginxCommand(engine, pathsOf(layout, confPath), 'test')
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin', ...command.env },
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output = (output + chunk).slice(-LONGEST_OUTPUT)
  })
  const [code] = await once(child, 'close')
  return code === 0 ? undefined : output || `exit ${code}`
}

/** Ends the master: gracefully, then at once. Resolves when it is gone. */
export async function stopMaster(id: ProcessId): Promise<void> {
  const gone = async (ms: number) => {
    const deadline = Date.now() + ms
    while (Date.now() < deadline) {
      if (!(await isAlive(id))) return true
      await sleep(25)
    }
    return false
  }
  await signalProcess(id, 'SIGQUIT')
  if (await gone(STOP_GRACE_MS)) return
  await signalProcess(id, 'SIGTERM')
  if (await gone(STOP_GRACE_MS)) return
  await signalProcess(id, 'SIGKILL')
  await gone(STOP_GRACE_MS)
}
