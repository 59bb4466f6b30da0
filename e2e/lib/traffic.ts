/** Visitors that ask for known sites all the time and count what they got, outside the system. */
import type { Random } from './random.ts'
import { type Answer, type EdgePorts, visit } from './visitor.ts'
import { waitFor } from './wait.ts'

/** A site that is known to be live. */
export interface KnownSite {
  domain: string
  /** Markers of the origins that may answer for it at this moment. */
  mayAnswer(): ReadonlySet<string>
  /** What was done with it lately, for whoever looks into a wrong answer. */
  history?(): string
}

/** A request that got no whole answer; times of `performance.now()`. */
export interface Failure {
  begin: number
  end: number
  reason: string
}

/** An answer that no visitor should get: another status than 200, or another site's origin. */
export interface Wrong {
  domain: string
  at: number
  got: string
  history: string
}

export interface Traffic {
  /** Whole answers so far. */
  answered(): number
  /** Of these, the ones that an origin must have given, because the edge may not keep them. */
  fresh(): number
  /** Whole answers whose last byte came in this span. */
  answeredBetween(from: number, to: number): number
  failures(): readonly Failure[]
  wrong(): readonly Wrong[]
  /** Resolves once this many more requests were answered: an event to strike at. */
  more(requests: number, limitMs?: number): Promise<void>
  /** Resolves when all requests under way have ended. */
  stop(): Promise<void>
}

export interface TrafficOptions {
  ports: () => EdgePorts
  sites: () => readonly KnownSite[]
  random: Random
  visitors: number
}

/** Paths below /kept/ are the ones whose answers the origins let the edge keep. */
export const cacheControl = (path: string): string => (path.startsWith('/kept/') ? 'public, max-age=600' : 'no-store')

export function startTraffic({ ports, sites, random, visitors }: TrafficOptions): Traffic {
  const ends: number[] = []
  const failures: Failure[] = []
  const wrong: Wrong[] = []
  let going = true
  let number = 0
  let fresh = 0

  async function ask(): Promise<void> {
    const known = sites()
    if (known.length === 0) return await new Promise((resolve) => setImmediate(resolve))
    const site = random.pick(known)
    const kept = random.next() < 0.3
    const path = kept ? `/kept/${random.between(1, 5)}` : `/fresh/${++number}`
    const begin = performance.now()
    const before = site.mayAnswer()
    try {
      const answer = await visit(ports(), site.domain, { path })
      ends.push(performance.now())
      if (!kept) fresh++
      const fault = faultOf(
        answer,
        `${site.domain} ${path}`,
        kept ? undefined : new Set([...before, ...site.mayAnswer()]),
      )
      if (fault) wrong.push({ domain: site.domain, at: begin, got: fault, history: site.history?.() ?? '' })
    } catch (error) {
      failures.push({ begin, end: performance.now(), reason: (error as Error).message })
      // A port that nobody listens on refuses at once: the visitor tries again like a person, not like a flood.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async function keepAsking(): Promise<void> {
    while (going) await ask()
  }

  const running = Promise.all(Array.from({ length: visitors }, keepAsking))
  const answered = () => ends.length
  return {
    answered,
    fresh: () => fresh,
    answeredBetween: (from, to) => ends.filter((end) => end >= from && end <= to).length,
    failures: () => failures,
    wrong: () => wrong,
    async more(requests, limitMs = 15_000) {
      const goal = answered() + requests
      await waitFor(
        () => answered() >= goal,
        () => `${requests} more answers, ${goal - answered()} are missing; last failure: ${failures.at(-1)?.reason}`,
        limitMs,
      )
    },
    async stop() {
      going = false
      await running
    },
  }
}

/** What is wrong with an answer. `markers` undefined: an answer kept from before a move may come from any earlier origin of the site. */
function faultOf(answer: Answer, asked: string, markers: ReadonlySet<string> | undefined): string | undefined {
  const marker = String(answer.headers['x-origin'] ?? '')
  if (answer.status !== 200) return `status ${answer.status}`
  if (answer.body !== `${marker} ${asked}\n`) return `another page than ${asked}: ${answer.body}`
  return !markers || markers.has(marker)
    ? undefined
    : `an answer of origin ${marker}, not of ${[...markers].join(' or ')}`
}
