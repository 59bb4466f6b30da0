import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LockHeldError, takeLock } from '@tidegate/embedded/lock'
import { LaunchError, type Launched, launch } from './launch.ts'
import { keepLogs } from './log-files.ts'
import { readSettings, type Settings } from './settings.ts'
import { languageOf, type Say, textOf } from './texts.ts'

const started = Date.now() - Number(process.env.TIDEGATE_STARTED_MS ?? 0)
const language = languageOf(process.env)

/** One line on the terminal, with the seconds since `npm start`. */
const say: Say = (key, values) => {
  const seconds = ((Date.now() - started) / 1_000).toFixed(1).padStart(6)
  process.stdout.write(`[${seconds} s] ${textOf(language, key, values)}\n`)
}

async function main(): Promise<number> {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const settings = openSettings(root)
  const release = settings && lockData(settings)
  if (!settings || !release) return 1
  const logDir = join(settings.dataDir, 'logs')
  const endLogs = keepLogs(logDir)
  const halt = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => halt.abort())
  try {
    const launched = await launch(settings, logDir, say, halt.signal)
    await untilHalted(launched, halt.signal)
    say('stopped')
    return 0
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error
    if (halt.signal.aborted) say('stopped')
    return halt.signal.aborted ? 0 : 1
  } finally {
    endLogs()
    release()
  }
}

async function untilHalted(launched: Launched, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    say('running')
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  }
  await launched.stop()
}

function openSettings(root: string): Settings | undefined {
  try {
    return readSettings(root, process.argv.slice(2), process.env)
  } catch (error) {
    say('folder', { dir: process.env.TIDEGATE_DATA || join(root, 'data'), reason: (error as Error).message })
    return undefined
  }
}

function lockData(settings: Settings): (() => void) | undefined {
  try {
    return takeLock(join(settings.dataDir, 'launcher.lock'))
  } catch (error) {
    if (error instanceof LockHeldError) say('held', { pid: error.holder?.pid ?? '?', dir: settings.dataDir })
    else say('folder', { dir: settings.dataDir, reason: (error as Error).message })
    return undefined
  }
}

process.exit(await main())
