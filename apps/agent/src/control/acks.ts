/** Delivers acknowledgements: the latest counts, and it is sent until the control plane has taken it. */
import { type AckReport, AGENT_PATHS } from '@tidegate/contract/node/protocol'
import { z } from 'zod'
import { errorText, type Log } from '../log.ts'
import { createBackoff } from './backoff.ts'
import { type ControlClient, ControlError } from './client.ts'
import { type Link, retryDelay } from './link.ts'
import { createWaker } from './pause.ts'

/** Answers after which the same report need not be sent again. */
const USELESS: ReadonlySet<number> = new Set([400, 409, 413, 422])

export type AckSender = Readonly<{ send: (report: AckReport) => void; run: (signal: AbortSignal) => Promise<void> }>

/** The newer report takes the older one's place and keeps those of its refusals that still hold. */
export function mergeReports(older: AckReport | undefined, newer: AckReport): AckReport {
  if (older === undefined) return newer
  const said = new Set(newer.refused.map((refusal) => `${refusal.kind} ${refusal.key}`))
  const holds = new Set(newer.refusedNow)
  const kept = older.refused.filter(({ kind, key }) => !said.has(`${kind} ${key}`) && holds.has(`${kind} ${key}`))
  return { ...newer, refused: [...newer.refused, ...kept] }
}

export function createAckSender(client: ControlClient, link: Link, log: Log): AckSender {
  const waker = createWaker()
  let pending: AckReport | undefined
  return {
    send: (report) => {
      pending = mergeReports(pending, report)
      waker.wake()
    },
    run: async (signal) => {
      const backoff = createBackoff(500, 30_000)
      while (!signal.aborted) {
        const report = pending
        if (report === undefined) {
          await waker.wait(3_600_000, signal)
          continue
        }
        try {
          await client.call({ method: 'POST', path: AGENT_PATHS.ack, json: report }, z.unknown())
          backoff.reset()
          if (pending === report) pending = undefined
        } catch (error) {
          if (signal.aborted) return
          log.warn('ack_failed', { revision: report.revision, error: errorText(error) })
          // Not this report, ever: a later one may be taken.
          if (error instanceof ControlError && USELESS.has(error.status) && pending === report) pending = undefined
          if (pending === undefined) continue
          await waker.wait(retryDelay(link, backoff.next()), signal)
        }
      }
    },
  }
}
