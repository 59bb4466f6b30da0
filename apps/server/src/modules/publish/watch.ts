/** The live view of one push: its present state, then each change, until nothing is pending or the viewer leaves. */
import type { PushState } from '@tidegate/contract/enums'
import type { FeedbackRow } from '@tidegate/contract/operations/push'
import type { Bus } from '../../platform/bus.ts'
import type { PushRef } from '../../platform/config-change.ts'
import type { Db } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { type Progress, readProgress } from './feedback.ts'

export interface PushEvent extends PushRef {
  state: PushState
  feedback: FeedbackRow[]
}

/** Thousands of answers within a second become a few lines. */
const MIN_GAP_MS = 40
/** A lost notice, or a node that went offline, is seen at the latest after this. */
const RELOAD_MS = 5_000

/** Throws `not_found` before the first line when there is no such revision. */
export const watchPush = async (
  db: Db,
  bus: Bus,
  ref: PushRef,
  signal: AbortSignal,
): Promise<AsyncIterable<PushEvent>> => {
  const notices = listen(bus, ref)
  const first = await readProgress(db, ref).catch((error: unknown) => {
    notices.close()
    throw error
  })
  if (first) return follow(db, ref, signal, notices, first)
  notices.close()
  throw new AppError('not_found')
}

/** `next` resolves when something about the push was said since it resolved last, after RELOAD_MS, or when the viewer leaves. */
const listen = (bus: Bus, { scope, revision }: PushRef) => {
  let dirty = false
  let wake: (() => void) | undefined
  const mark = () => {
    dirty = true
    wake?.()
  }
  const covers = (payload: string) => {
    const [name, number] = payload.split(' ')
    if (name === scope && Number(number) >= revision) mark()
  }
  const undo = [bus.on('push_feedback', covers), bus.on('config_published', covers), bus.onResync(mark)]
  const pause = (ms: number, signal: AbortSignal, early: boolean) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        wake = undefined
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal.addEventListener('abort', done)
      if (early) wake = done
      if (signal.aborted || (early && dirty)) done()
    })
  return {
    next: async (signal: AbortSignal) => {
      await pause(RELOAD_MS, signal, true)
      dirty = false
    },
    gap: (signal: AbortSignal) => pause(MIN_GAP_MS, signal, false),
    close: () => {
      for (const off of undo) off()
    },
  }
}

async function* follow(
  db: Db,
  ref: PushRef,
  signal: AbortSignal,
  notices: ReturnType<typeof listen>,
  first: Progress,
): AsyncGenerator<PushEvent> {
  try {
    let said = ''
    for (let progress: Progress | null = first; progress; progress = await readProgress(db, ref)) {
      const text = JSON.stringify(progress)
      if (text !== said) yield { ...ref, ...progress }
      said = text
      if (progress.state !== 'pending') return
      await notices.gap(signal)
      if (!signal.aborted) await notices.next(signal)
      if (signal.aborted) return
    }
  } finally {
    notices.close()
  }
}
