/** What nodes were told and what they answered. Both are written in batches: thousands of nodes answer within a second of a change. */
import { setTimeout as delay } from 'node:timers/promises'
import type { AckReport } from '@tidegate/contract/node/protocol'
import type { Pool } from 'pg'
import type { Log } from '../../platform/log.ts'
import { type AckInput, writeAcks } from './ack-batch.ts'

const BATCH = 500
/** Another process may have told the node and not written it down yet. */
const SECOND_LOOK_MS = 300

export interface Acks {
  /** Notes that the node was told of, or got, a revision. */
  sent(nodeId: number, revision: number): void
  /** Resolves when the answer is stored. `never_sent`: the node claims a revision that it was never sent; nothing is stored. */
  ack(node: { id: number; scope: string }, report: AckReport): Promise<'ok' | 'never_sent'>
  /** Resolves when everything noted so far is stored. */
  flush(): Promise<void>
}

type Outcome = 'ok' | 'never_sent'
interface Waiting {
  input: AckInput
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

export const createAcks = (pool: Pool, log: Log): Acks => {
  const sentNow = new Map<number, number>()
  let unsaved = new Map<number, number>()
  let queue: Waiting[] = []
  let saving: Promise<void> | undefined
  let answering: Promise<void> | undefined

  const saveSent = async () => {
    while (unsaved.size > 0) {
      const batch = unsaved
      unsaved = new Map()
      try {
        await writeSent(pool, batch)
      } catch (error) {
        log.warn({ err: error }, 'sent revisions could not be stored, will be tried again')
        for (const [id, revision] of batch) unsaved.set(id, Math.max(revision, unsaved.get(id) ?? 0))
        await delay(500)
      }
    }
  }
  const wakeSaving = () => {
    // After this turn of the event loop: a broadcast to all nodes becomes one statement.
    saving ??= delay(0)
      .then(saveSent)
      .finally(() => {
        saving = undefined
      })
    return saving
  }
  /** One answer of a node a batch; a second one of the same node waits for the next. */
  const takeBatch = () => {
    const batch = new Map<number, Waiting>()
    queue = queue.filter((w) => {
      if (batch.size >= BATCH || batch.has(w.input.nodeId)) return true
      batch.set(w.input.nodeId, w)
      return false
    })
    return [...batch.values()]
  }
  const answerAll = async () => {
    while (queue.length > 0) {
      const batch = takeBatch()
      try {
        const inputs = batch.map((w) => ({ ...w.input, sent: sentNow.get(w.input.nodeId) ?? 0 }))
        const lies = await writeAcks(pool, inputs)
        for (const w of batch) w.resolve(lies.has(w.input.nodeId) ? 'never_sent' : 'ok')
      } catch (error) {
        for (const w of batch) w.reject(error)
      }
    }
  }
  const enqueue = (input: AckInput) =>
    new Promise<Outcome>((resolve, reject) => {
      queue.push({ input, resolve, reject })
      answering ??= delay(0)
        .then(answerAll)
        .finally(() => {
          answering = undefined
        })
    })

  return {
    sent: (nodeId, revision) => {
      if ((sentNow.get(nodeId) ?? -1) >= revision) return
      sentNow.set(nodeId, revision)
      unsaved.set(nodeId, revision)
      void wakeSaving()
    },
    ack: async (node, report) => {
      const input = { nodeId: node.id, scope: node.scope, report, sent: 0 }
      const first = await enqueue(input)
      if (first === 'ok') return first
      await delay(SECOND_LOOK_MS)
      return enqueue(input)
    },
    flush: async () => {
      if (unsaved.size > 0) await wakeSaving()
      await answering
    },
  }
}

const writeSent = (pool: Pool, sent: Map<number, number>) =>
  pool.query(
    `WITH locked AS (
       SELECT p.node_id, n.revision FROM unnest($1::bigint[], $2::bigint[]) AS n (node_id, revision)
       JOIN node_push p USING (node_id) WHERE p.sent < n.revision ORDER BY p.node_id FOR UPDATE OF p)
     UPDATE node_push p SET sent = l.revision, sent_at = clock_timestamp() FROM locked l WHERE p.node_id = l.node_id`,
    [[...sent.keys()], [...sent.values()]],
  )
