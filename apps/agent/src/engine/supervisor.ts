/** Keeps the engine running with the right nginx.conf: adopts, starts, restarts with back-off, reloads for a changed file. */
import { copyFile, rename, rm, stat, truncate } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EnginePaths } from '@tidegate/engine-files/engine-root'
import { createBackoff } from '../control/backoff.ts'
import { pause } from '../control/pause.ts'
import { readIfExists, writeFileAtomic } from '../files.ts'
import { errorText, type Log } from '../log.ts'
import type { EngineAdmin } from './admin.ts'
import type { EngineLayout } from './layout.ts'
import { findMaster, noteMaster, startMaster, stopMaster, testConf } from './master.ts'
import { isAlive, type ProcessId, signalProcess } from './proc.ts'

const WATCH_MS = 250
const READY_DEADLINE_MS = 15_000
const ERROR_LOG_MAX_BYTES = 16 * 1024 * 1024

export type SupervisorOptions = Readonly<{
  engine: EnginePaths
  layout: EngineLayout
  admin: EngineAdmin
  log: Log
  /** Called each time the engine serves (again): what it runs may not be what it should. */
  onUp: () => void
}>

export type Supervisor = Readonly<{
  /** Whether a master of ours is there, before anything is started. */
  runs: () => Promise<boolean>
  /** Takes the rendered file, then adopts or starts the engine. Throws when it does not come up; `watch` goes on trying. */
  start: (conf: string) => Promise<void>
  /** Tests, then swaps in a changed file and reloads. False, with the old one kept, when nginx refuses it. */
  reconfigure: (conf: string) => Promise<boolean>
  /** Restarts a dead engine until `signal` aborts. */
  watch: (signal: AbortSignal) => Promise<void>
  isUp: () => boolean
  stop: () => Promise<void>
  rotateErrorLog: () => Promise<void>
}>

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { engine, layout, admin, log } = options
  let master: ProcessId | undefined
  let up = false

  async function waitReady(id: ProcessId): Promise<void> {
    const deadline = Date.now() + READY_DEADLINE_MS
    for (;;) {
      const answered = await admin.status().then(
        () => true,
        () => false,
      )
      if (answered) return
      if (!(await isAlive(id))) throw new Error('the engine ended while starting')
      if (Date.now() > deadline) throw new Error('the engine does not answer')
      await sleep(20)
    }
  }

  async function bringUp(): Promise<void> {
    const found = await findMaster(layout)
    master = found ?? (await startMaster(engine, layout))
    if (found !== undefined) await noteMaster(layout, found)
    await waitReady(master)
    up = true
    log.info(found === undefined ? 'engine_started' : 'engine_adopted', { pid: master.pid })
    options.onUp()
  }

  /** Puts a new file in place if it differs and nginx takes it. */
  async function placeConf(conf: string): Promise<'same' | 'placed' | 'refused'> {
    const held = await readIfExists(layout.confPath)
    if (held === conf) return 'same'
    const candidate = `${layout.confPath}.new`
    await writeFileAtomic(candidate, conf)
    const complaint = await testConf(engine, candidate, layout)
    if (complaint !== undefined) {
      log.error('engine_conf_refused', { complaint })
      if (held !== undefined) {
        await rm(candidate, { force: true })
        return 'refused'
      }
    }
    await rename(candidate, layout.confPath)
    return 'placed'
  }

  async function reconfigure(conf: string): Promise<boolean> {
    const placed = await placeConf(conf)
    if (placed === 'placed' && master !== undefined && (await signalProcess(master, 'SIGHUP'))) {
      log.info('engine_reloaded')
    }
    return placed !== 'refused'
  }

  return {
    runs: async () => (await findMaster(layout)) !== undefined,
    start: async (conf) => {
      master = await findMaster(layout)
      await reconfigure(conf)
      await bringUp()
    },
    reconfigure,
    watch: async (signal) => {
      const backoff = createBackoff(500, 30_000)
      while (!signal.aborted) {
        if (master !== undefined && up && (await isAlive(master))) {
          backoff.reset()
          await pause(WATCH_MS, signal)
          continue
        }
        if (up) log.error('engine_died')
        up = false
        try {
          await bringUp()
        } catch (error) {
          if (signal.aborted) return
          log.error('engine_start_failed', { error: errorText(error) })
          await pause(backoff.next(), signal)
        }
      }
    },
    isUp: () => up,
    stop: async () => {
      up = false
      const running = master ?? (await findMaster(layout))
      if (running !== undefined) await stopMaster(running)
      await rm(layout.pidFile, { force: true })
    },
    rotateErrorLog: async () => {
      const size = await stat(layout.errorLog).then(
        (found) => found.size,
        () => 0,
      )
      if (size < ERROR_LOG_MAX_BYTES) return
      // The engine appends to the file it has open; workers without rights on the folder could not open a new one.
      await copyFile(layout.errorLog, `${layout.errorLog}.1`)
      await truncate(layout.errorLog)
    },
  }
}
