/** A batch while it is being filled: counters, raw lines, lines dropped. */
import { type LogBatch, logLine, type MinuteCounter, minuteCounter } from '@tidegate/contract/node/log'
import { z } from 'zod'
import { type Counters, createCounters } from './counters.ts'

export type OpenBatch = {
  counters: Counters
  /** JSON texts, as the engine wrote them. */
  lines: string[]
  /** Of the lines. */
  bytes: number
  dropped: number
  /** Whether anything is in it. */
  touched: boolean
}

export function newBatch(): OpenBatch {
  return { counters: createCounters(), lines: [], bytes: 0, dropped: 0, touched: false }
}

/** What a block comes down to when its raw lines are not kept. */
export const countedBlock = z.object({ counters: z.array(minuteCounter), dropped: z.int() })
export type CountedBlock = z.infer<typeof countedBlock>

type ParsedBlock = Readonly<{ counters: MinuteCounter[]; lines: string[]; bad: number }>

/** Whether a request is among those of a hundred whose lines are kept: the same on every read, by its random id. */
const isSampled = (rid: string, percent: number) =>
  percent >= 100 || Number.parseInt(rid.slice(0, 8), 16) < (percent / 100) * 2 ** 32

/** Reads a block's lines and counts them; `percent` of the lines are kept. Lines that are no logLine are left out and counted in `bad`. */
export function parseBlock(text: string, percent = 100): ParsedBlock {
  const counters = createCounters()
  const lines: string[] = []
  let bad = 0
  for (const line of text.split('\n')) {
    if (line === '') continue
    const parsed = parseLine(line)
    if (parsed === undefined) {
      bad++
      continue
    }
    counters.add(parsed)
    if (isSampled(parsed.rid, percent)) lines.push(line)
  }
  return { counters: counters.list(), lines, bad }
}

function parseLine(line: string) {
  try {
    return logLine.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

export function addToBatch(
  batch: OpenBatch,
  part: { counters: MinuteCounter[]; lines: string[]; dropped: number },
): void {
  for (const counter of part.counters) batch.counters.merge(counter)
  for (const line of part.lines) {
    batch.lines.push(line)
    batch.bytes += Buffer.byteLength(line)
  }
  batch.dropped += part.dropped
  batch.touched = true
}

/** The batch as JSON of a logBatch. */
export function batchJson(id: LogBatch['id'], batch: OpenBatch): string {
  const head = JSON.stringify({ id, counters: batch.counters.list(), dropped: batch.dropped })
  return `${head.slice(0, -1)},"lines":[${batch.lines.join(',')}]}`
}
