/** The long answer that says "there is revision N", nothing more. What changed is pulled. */
import { AGENT_PATHS, type StreamEvent, streamEvent } from '@tidegate/contract/node/protocol'
import { errorText, type Log } from '../log.ts'
import { createBackoff } from './backoff.ts'
import type { ControlClient } from './client.ts'
import { readLines } from './lines.ts'
import { type Link, retryDelay } from './link.ts'
import { pause } from './pause.ts'

/** The server pings every 15 s; three missed pings mean that the connection is dead. */
const SILENCE_MS = 45_000
const LONGEST_LINE = 65_536

export type StreamOptions = Readonly<{
  client: ControlClient
  link: Link
  log: Log
  onEvent: (event: StreamEvent) => void
  signal: AbortSignal
  silenceMs?: number
}>

function parseEvent(line: string): StreamEvent | undefined {
  try {
    const parsed = streamEvent.safeParse(JSON.parse(line))
    // Types of events that this release does not know are passed over.
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

async function readOnce(options: StreamOptions, onFirst: () => void): Promise<void> {
  const watchdog = new AbortController()
  const silenceMs = options.silenceMs ?? SILENCE_MS
  const bark = () => watchdog.abort(new Error('stream fell silent'))
  let timer = setTimeout(bark, silenceMs)
  try {
    const body = await options.client.open(AGENT_PATHS.stream, AbortSignal.any([options.signal, watchdog.signal]))
    for await (const line of readLines(body, LONGEST_LINE)) {
      clearTimeout(timer)
      timer = setTimeout(bark, silenceMs)
      onFirst()
      const event = parseEvent(line)
      if (event !== undefined) options.onEvent(event)
    }
  } finally {
    clearTimeout(timer)
    watchdog.abort()
  }
}

/** Reads the stream until `signal` aborts; reconnects with back-off. Never rejects. */
export async function runStream(options: StreamOptions): Promise<void> {
  const backoff = createBackoff(500, 30_000)
  while (!options.signal.aborted) {
    try {
      await readOnce(options, backoff.reset)
      options.log.info('stream_ended')
    } catch (error) {
      if (options.signal.aborted) return
      options.log.warn('stream_lost', { error: errorText(error), link: options.link.state })
    }
    await pause(retryDelay(options.link, backoff.next()), options.signal)
  }
}
