/** Follows one push from node to node until nothing is pending, over lost connections too. */
import type { OutputOf } from '@tidegate/contract/operations/index'
import { useEffect, useState } from 'react'
import { stream } from '../api/call.ts'
import { ApiError, Cancelled } from '../api/error.ts'

export type PushEvent = OutputOf<'push.watch'>
export interface PushRef {
  scope: string
  revision: number
}

const RETRY_MS = 1500

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Only an answer that says no ends the watch; a lost connection is taken up again. */
const isFinal = (error: unknown) => error instanceof ApiError && error.failure.code >= 400 && error.failure.code < 500

const follow = async (ref: PushRef, onEvent: (event: PushEvent) => void, signal: AbortSignal) => {
  let pending = true
  while (pending && !signal.aborted) {
    try {
      await stream(
        'push.watch',
        ref,
        (event) => {
          pending = event.state === 'pending'
          onEvent(event)
        },
        { signal },
      )
    } catch (error) {
      if (error instanceof Cancelled) return
      if (isFinal(error)) throw error
    }
    if (pending) await pause(RETRY_MS, signal)
  }
}

/** null watches nothing. */
export const usePushWatch = (ref: PushRef | null): { event: PushEvent | null; error: unknown } => {
  const [event, setEvent] = useState<PushEvent | null>(null)
  const [error, setError] = useState<unknown>(null)
  const scope = ref?.scope
  const revision = ref?.revision
  useEffect(() => {
    setEvent(null)
    setError(null)
    if (scope === undefined || revision === undefined) return
    const stop = new AbortController()
    follow({ scope, revision }, setEvent, stop.signal).catch(setError)
    return () => stop.abort()
  }, [scope, revision])
  return { event, error }
}
