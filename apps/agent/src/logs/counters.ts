/** Exact counters per minute and site, from every line. */
import type { LogLine, MinuteCounter } from '@tidegate/contract/node/log'

/** Answers that the cache gave without waiting for the origin's body. */
const HITS: ReadonlySet<LogLine['cache']> = new Set(['HIT', 'STALE', 'UPDATING', 'REVALIDATED'])
/** Words of `why` with which the security features turn a request away; the other words are failures and plain answers. */
const BLOCKED: ReadonlySet<string> = new Set(['blocked'])

export type Counters = Readonly<{
  add: (line: LogLine) => void
  merge: (counter: MinuteCounter) => void
  list: () => MinuteCounter[]
}>

function empty(minute: number, site: number): MinuteCounter {
  return {
    minute,
    site,
    requests: 0,
    hits: 0,
    bytesOut: 0,
    bytesIn: 0,
    bytesOrigin: 0,
    s2xx: 0,
    s3xx: 0,
    s4xx: 0,
    s5xx: 0,
    blocked: 0,
  }
}

function countStatus(counter: MinuteCounter, status: number): void {
  if (status >= 500) counter.s5xx++
  else if (status >= 400) counter.s4xx++
  else if (status >= 300) counter.s3xx++
  else if (status >= 200) counter.s2xx++
}

export function createCounters(): Counters {
  const all = new Map<string, MinuteCounter>()
  const at = (minute: number, site: number): MinuteCounter => {
    const key = `${minute} ${site}`
    const held = all.get(key)
    if (held !== undefined) return held
    const made = empty(minute, site)
    all.set(key, made)
    return made
  }
  return {
    add: (line) => {
      const counter = at(Math.floor(line.ts / 60_000) * 60, line.site)
      counter.requests++
      if (HITS.has(line.cache)) counter.hits++
      if (BLOCKED.has(line.why)) counter.blocked++
      counter.bytesOut += line.out
      counter.bytesIn += line.in
      counter.bytesOrigin += line.org
      countStatus(counter, line.status)
    },
    merge: (other) => {
      const counter = at(other.minute, other.site)
      for (const name of Object.keys(counter) as Array<keyof MinuteCounter>) {
        if (name !== 'minute' && name !== 'site') counter[name] += other[name]
      }
    },
    list: () => [...all.values()],
  }
}
