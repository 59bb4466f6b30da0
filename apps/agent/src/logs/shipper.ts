/** Sends sealed batches, oldest first; a batch leaves the spool only when the control plane has said that it is stored. */
import { AGENT_PATHS } from '@tidegate/contract/node/protocol'
import { z } from 'zod'
import { createBackoff } from '../control/backoff.ts'
import { type ControlClient, ControlError } from '../control/client.ts'
import { type Link, retryDelay } from '../control/link.ts'
import { createWaker } from '../control/pause.ts'
import { errorText, type Log } from '../log.ts'
import type { Spool } from './spool.ts'

const logsReply = z.object({ duplicate: z.boolean().optional() })
/** The control plane will not take this very batch: the others go first, and it is tried again now and then. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422])
const REFUSED_PAUSE_MS = 600_000

export type Shipper = Readonly<{ wake: () => void; run: (signal: AbortSignal) => Promise<void> }>

export function createShipper(client: ControlClient, link: Link, spool: Spool, log: Log): Shipper {
  const waker = createWaker()
  const refusedUntil = new Map<string, number>()

  const next = () => spool.ids().find((id) => (refusedUntil.get(id) ?? 0) <= Date.now())

  async function ship(id: string): Promise<void> {
    try {
      await client.call({ method: 'POST', path: AGENT_PATHS.logs, gzip: await spool.read(id) }, logsReply)
    } catch (error) {
      if (!(error instanceof ControlError) || !REFUSED.has(error.status)) throw error
      log.error('log_batch_refused', { id, error: errorText(error) })
      refusedUntil.set(id, Date.now() + REFUSED_PAUSE_MS)
      return
    }
    await spool.remove(id)
    refusedUntil.delete(id)
  }

  return {
    wake: waker.wake,
    run: async (signal) => {
      const backoff = createBackoff(500, 30_000)
      while (!signal.aborted) {
        const id = next()
        if (id === undefined) {
          await waker.wait(REFUSED_PAUSE_MS, signal)
          continue
        }
        try {
          await ship(id)
          backoff.reset()
        } catch (error) {
          if (signal.aborted) return
          log.warn('ship_failed', { id, waiting: spool.ids().length, error: errorText(error) })
          // New batches do not shorten the back-off.
          const until = Date.now() + retryDelay(link, backoff.next())
          while (!signal.aborted && Date.now() < until) await waker.wait(until - Date.now(), signal)
        }
      }
    },
  }
}
