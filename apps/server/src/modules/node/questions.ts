/**
 * Questions of operators to nodes. A question is a row; a notice wakes the process that has the node's stream, and another one whoever
 * waits for the answer: the two need not be one process. Rows live for as long as somebody waits.
 */
import { randomBytes } from 'node:crypto'
import {
  type AnswerBody,
  QUESTIONS,
  type QuestionAnswer,
  type QuestionFault,
  type QuestionInput,
  type QuestionKind,
} from '@tidegate/contract/node/questions'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Bus } from '../../platform/bus.ts'
import type { Db } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { row } from '../../platform/query.ts'
import { STATE } from './present.ts'

export interface QuestionDeps {
  db: Db
  bus: Bus
  answerSeconds(): number
}

/** For an answer whose notice was lost. */
const LOOK_MS = 1_000
/** Questions of one node that may wait at once. */
const WAITING_MOST = 4
/** Left behind by processes that died. */
const STALE_SECONDS = 300

type Said = Pick<AnswerBody, 'answer' | 'fault' | 'detail'>

/** How a fault of the node is told; `field` is what the node may not go to. */
const FAULTS: Record<QuestionFault, (name: string, detail: string, field: string) => AppError> = {
  unknown: (name) => new AppError('node_outdated', { params: { name } }),
  busy: (name) => new AppError('node_busy', { params: { name } }),
  gone: () => new AppError('entry_gone'),
  private: (_name, _value, field) => fieldError(field, 'private_address'),
  failed: (name, reason) => new AppError('node_failed', { params: { name, reason } }),
}

export const createQuestions = ({ db, bus, answerSeconds }: QuestionDeps) => {
  const post = async (nodeId: number, kind: string, input: unknown): Promise<string> => {
    const id = randomBytes(16).toString('hex')
    await db.transaction(async (tx) => {
      await tx.execute(
        sql`DELETE FROM node_question WHERE asked_at < clock_timestamp() - make_interval(secs => ${STALE_SECONDS})`,
      )
      await tx.execute(sql`SELECT pg_advisory_xact_lock(7413300, ${nodeId}::int)`)
      const waiting = await row<{ n: number }>(
        tx,
        sql`SELECT count(*)::int AS n FROM node_question
            WHERE node_id = ${nodeId} AND said IS NULL AND asked_at > clock_timestamp() - make_interval(secs => ${answerSeconds()})`,
      )
      if ((waiting?.n ?? 0) >= WAITING_MOST) throw await busy(nodeId)
      await tx.execute(sql`INSERT INTO node_question (id, node_id, kind, input, asked_at)
        VALUES (${id}, ${nodeId}, ${kind}, ${JSON.stringify(input)}::jsonb, clock_timestamp())`)
      await tx.execute(sql`SELECT pg_notify('node_question', ${`${nodeId} ${id}`})`)
    })
    return id
  }
  const nodeOf = async (nodeId: number) => {
    const node = await row<{ name: string; state: string }>(
      db,
      sql`SELECT n.name, ${STATE} AS state FROM node n WHERE n.id = ${nodeId}`,
    )
    if (!node) throw fieldError('nodeId', 'invalid')
    return node
  }
  const busy = async (nodeId: number) => new AppError('node_busy', { params: { name: (await nodeOf(nodeId)).name } })

  /** The answer, taken away; null while there is none. */
  const take = async (id: string): Promise<Said | null> => {
    const found = await row<{ said: Said }>(
      db,
      sql`DELETE FROM node_question WHERE id = ${id} AND said IS NOT NULL RETURNING said`,
    )
    return found?.said ?? null
  }

  /** Resolves with null when time is over or the caller is gone. */
  const wait = (id: string, seconds: number, signal: AbortSignal) =>
    new Promise<Said | null>((resolve, reject) => {
      const look = () => void take(id).then((said) => said && end(said), fail)
      const end = (said: Said | null) => {
        undo()
        resolve(said)
      }
      const fail = (error: unknown) => {
        undo()
        reject(error)
      }
      const giveUp = () => end(null)
      const off = bus.on('node_answer', (answered) => answered === id && look())
      const timer = setInterval(look, LOOK_MS)
      const over = setTimeout(giveUp, seconds * 1_000)
      signal.addEventListener('abort', giveUp)
      const undo = () => {
        off()
        clearInterval(timer)
        clearTimeout(over)
        signal.removeEventListener('abort', giveUp)
      }
      look()
    })

  /** `field`: the input's field at fault when the node may not go where it points. */
  const ask = async <K extends QuestionKind>(
    nodeId: number,
    kind: K,
    input: QuestionInput<K>,
    signal: AbortSignal,
    field = 'nodeId',
  ): Promise<QuestionAnswer<K>> => {
    const { name, state } = await nodeOf(nodeId)
    if (state !== 'online') throw new AppError('node_offline', { params: { name } })
    const seconds = answerSeconds()
    const id = await post(nodeId, kind, input)
    let said: Said | null
    try {
      said = await wait(id, seconds, signal)
    } finally {
      await db.execute(sql`DELETE FROM node_question WHERE id = ${id}`)
    }
    if (said === null) throw new AppError('node_silent', { params: { name, seconds } })
    if (said.fault !== null) throw FAULTS[said.fault](name, said.detail, field)
    const schema: z.ZodType = QUESTIONS[kind].answer
    const answer = schema.safeParse(said.answer)
    if (!answer.success) throw new AppError('node_outdated', { params: { name } })
    return answer.data as QuestionAnswer<K>
  }

  return {
    ask,
    onAsked: (listener: (nodeId: number, id: string) => void) =>
      bus.on('node_question', (payload) => {
        const [nodeId = '', id = ''] = payload.split(' ')
        listener(Number(nodeId), id)
      }),
    read: async (nodeId: number, id: string) => {
      const found = await row<{ kind: string; input: unknown }>(
        db,
        sql`SELECT kind, input FROM node_question WHERE id = ${id} AND node_id = ${nodeId} AND said IS NULL`,
      )
      return found ? { id, ...found } : null
    },
    answered: async (nodeId: number, { id, answer, fault, detail }: AnswerBody) => {
      // A text of the database has no zero character.
      const said = JSON.stringify({ answer, fault, detail }).replaceAll('\\u0000', '\\ufffd')
      await db.execute(sql`WITH kept AS (UPDATE node_question SET said = ${said}::jsonb
          WHERE id = ${id} AND node_id = ${nodeId} AND said IS NULL RETURNING id)
        SELECT pg_notify('node_answer', id) FROM kept`)
    },
  }
}
export type NodeQuestions = ReturnType<typeof createQuestions>
