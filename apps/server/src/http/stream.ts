/** Answers of kind `stream`: newline-delimited JSON, each line sent at once, an empty line as heartbeat. */
import { Readable } from 'node:stream'

/** A proxy in between ends a silent connection after 30 to 60 s. */
const HEARTBEAT_MS = 15_000

type Beat = typeof BEAT
const BEAT = Symbol('heartbeat')

const orBeat = async <T>(next: Promise<T>, ms: number): Promise<T | Beat> => {
  let timer: NodeJS.Timeout | undefined
  const beat = new Promise<Beat>((resolve) => {
    timer = setTimeout(() => resolve(BEAT), ms)
  })
  try {
    return await Promise.race([next, beat])
  } finally {
    clearTimeout(timer)
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<IteratorReturnResult<undefined>>((resolve) => {
    const end = () => resolve({ done: true, value: undefined })
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })

/**
 * Lines of `items` until it ends or `signal` aborts. Waits for the first item (or a heartbeat's time) before it answers, so that an
 * error thrown at once still becomes an envelope.
 */
export const ndjson = async (
  items: AsyncIterable<unknown>,
  signal: AbortSignal,
  heartbeatMs = HEARTBEAT_MS,
): Promise<Readable> => {
  const iterator = items[Symbol.asyncIterator]()
  const over = aborted(signal)
  let pending = iterator.next()
  const first = await orBeat(Promise.race([pending, over]), heartbeatMs)
  const lines = async function* () {
    let item = first
    try {
      for (;;) {
        if (item === BEAT) yield '\n'
        else if (item.done) return
        else {
          yield `${JSON.stringify(item.value)}\n`
          pending = iterator.next()
        }
        item = await orBeat(Promise.race([pending, over]), heartbeatMs)
      }
    } finally {
      pending.catch(() => {})
      // Not awaited: a generator that hangs in its own await would hold up the end of the answer.
      void iterator.return?.()?.catch(() => {})
    }
  }
  return Readable.from(lines(), { objectMode: false, highWaterMark: 16_384 })
}
