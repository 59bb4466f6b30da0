/** Runs one task to its end: by itself, by its time, because its process stops, or because it was taken away. */
import { MAX_RUN_OUTPUT } from '@tidegate/contract/limits'
import type { Db } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { TaskContext, TaskKind, TaskResult } from '../../platform/task.ts'
import { beat, type Ending, type Run, type Told } from './claim.ts'

interface Job {
  run: Run
  kind: TaskKind
  runner: string
  /** Aborted with `stopped` when the process ends. */
  abort: AbortController
  beatMs: number
  graceMs: number
}

/** Output that keeps its end. */
const recorder = () => {
  const told: Told = { progress: null, output: '' }
  return {
    told,
    say: (line: string) => {
      const text = `${told.output}${line.replaceAll('\0', '')}\n`
      told.output = text.length > MAX_RUN_OUTPUT ? text.slice(-MAX_RUN_OUTPUT) : text
    },
    progress: (percent: number) => {
      told.progress = Math.round(Math.min(100, Math.max(0, percent)))
    },
  }
}

const errorText = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, 2000)

type Outcome = { result: TaskResult } | { error: unknown } | 'ignored'

const attempt = async (kind: TaskKind, run: Run, context: TaskContext): Promise<Outcome> => {
  try {
    return { result: (await kind.run(kind.params.parse(run.params), context)) ?? {} }
  } catch (error) {
    return { error }
  }
}

/** Resolves `graceMs` after the signal's end. */
const ignored = (signal: AbortSignal, graceMs: number): { promise: Promise<'ignored'>; clear: () => void } => {
  let timer: NodeJS.Timeout | undefined
  const promise = new Promise<'ignored'>((resolve) => {
    signal.addEventListener('abort', () => {
      timer = setTimeout(() => resolve('ignored'), graceMs)
    })
  })
  return { promise, clear: () => clearTimeout(timer) }
}

const endOf = (outcome: Outcome, reason: unknown, seconds: number): Omit<Ending, keyof Told> | null => {
  if (reason === 'taken') return null
  // A run that ended well just before it was told to stop ended well.
  if (typeof outcome === 'object' && 'result' in outcome) return { state: 'done', result: outcome.result, error: '' }
  if (reason === 'timeout') return { state: 'timeout', result: {}, error: `took longer than ${seconds} s` }
  if (reason === 'stopped') return { state: 'lost', result: {}, error: 'the process that ran it was stopped' }
  return { state: 'failed', result: {}, error: outcome === 'ignored' ? '' : errorText(outcome.error) }
}

/** How it ended; null: it was taken away, so there is nothing to write. */
export const execute = async ({ db, log }: { db: Db; log: Log }, job: Job): Promise<Ending | null> => {
  const { run, kind, runner, abort } = job
  const record = recorder()
  const timeout = setTimeout(() => abort.abort('timeout'), run.timeout * 1000)
  const beats = setInterval(() => {
    beat(db, run.id, runner, record.told).then(
      (mine) => (mine ? undefined : abort.abort('taken')),
      (error: Error) => log.warn({ err: error, run: run.id }, 'beat of a task'),
    )
  }, job.beatMs)
  const grace = ignored(abort.signal, job.graceMs)
  try {
    const outcome = await Promise.race([attempt(kind, run, { signal: abort.signal, ...record }), grace.promise])
    const end = endOf(outcome, abort.signal.reason, run.timeout)
    return end === null ? null : { ...record.told, ...end }
  } finally {
    clearTimeout(timeout)
    clearInterval(beats)
    grace.clear()
  }
}
