/** Status reports of nodes, written in batches: at most one write a node in ten seconds, at once when something is wrong or right again. */
import type { StatusReport } from '@tidegate/contract/node/protocol'
import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'

const FLUSH_MS = 500
/** A little less than the nodes' own rhythm, so that each of their reports is written. */
const MIN_GAP_MS = 9_000

export interface Statuses {
  report(nodeId: number, report: StatusReport): void
  flush(): Promise<void>
  close(): Promise<void>
}

interface Held {
  report: StatusReport
  skew: number
  seen: number
}

export const createStatuses = (pool: Pool, clock: Clock, log: Log): Statuses => {
  const waiting = new Map<number, Held>()
  const written = new Map<number, { at: number; word: string }>()

  const isDue = (nodeId: number, held: Held) => {
    const last = written.get(nodeId)
    return !last || held.seen - last.at >= MIN_GAP_MS || last.word !== wordOf(held.report)
  }
  const write = async (all: boolean) => {
    const due = [...waiting].filter(([id, held]) => all || isDue(id, held))
    if (due.length === 0) return
    for (const [id] of due) waiting.delete(id)
    try {
      await writeAll(pool, due)
      for (const [id, held] of due) written.set(id, { at: held.seen, word: wordOf(held.report) })
    } catch (error) {
      log.warn({ err: error }, 'status reports could not be stored')
      for (const [id, held] of due) if (!waiting.has(id)) waiting.set(id, held)
    }
  }
  let running = Promise.resolve()
  const flush = (all: boolean) => {
    running = running.then(() => write(all))
    return running
  }
  const timer = setInterval(() => void flush(false), FLUSH_MS).unref()

  return {
    report: (nodeId, report) => {
      const now = clock.now()
      waiting.set(nodeId, { report, skew: Math.round(report.time - now), seen: now })
    },
    flush: () => flush(true),
    close: () => {
      clearInterval(timer)
      return flush(true)
    },
  }
}

/** What deserves to be shown at once. */
const wordOf = (r: StatusReport) => `${r.engineUp} ${r.alerts.join()}`

const writeAll = (pool: Pool, due: [number, Held][]) =>
  pool.query(
    `UPDATE node n SET status = s.report, clock_skew = s.skew, agent_version = s.report->>'agentVersion',
       engine_version = s.report->>'engineVersion', last_seen = GREATEST(n.last_seen, to_timestamp(s.seen / 1000.0))
     FROM jsonb_to_recordset($1::jsonb) AS s (id bigint, report jsonb, skew bigint, seen float8) WHERE n.id = s.id`,
    [JSON.stringify(due.map(([id, held]) => ({ id, ...held }))).replaceAll('\\u0000', '')],
  )
