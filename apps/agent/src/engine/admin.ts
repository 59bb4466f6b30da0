/** The engine's admin socket: apply a batch, ask for its state. */
import {
  type EngineApplied,
  type EngineBatch,
  type EngineDict,
  type EngineStatus,
  engineApplied,
  engineDict,
  engineStatus,
} from '@tidegate/contract/node/engine'
import { Agent, request } from 'undici'
import type { z } from 'zod'
import { pause } from '../control/pause.ts'

const APPLY_TIMEOUT_MS = 30_000
const STATUS_TIMEOUT_MS = 2_000
const DICT_TIMEOUT_MS = 5_000
const TRIES = 20
const BUSY_PAUSE_MS = 50

export type EngineAdmin = Readonly<{
  /** Throws when the engine cannot be reached or answers no engineApplied. */
  apply: (batch: EngineBatch) => Promise<EngineApplied>
  status: () => Promise<EngineStatus>
  /** What a shared dict holds; the question's texts are bytes. */
  dict: (question: DictQuestion) => Promise<EngineDict>
  close: () => Promise<void>
}>

export type DictQuestion = Readonly<{ name: string; prefix?: Buffer; after?: Buffer; key?: Buffer; limit?: number }>

function dictPath({ name, limit, ...texts }: DictQuestion): string {
  const query = new URLSearchParams({ name, ...(limit !== undefined && { limit: String(limit) }) })
  for (const [key, bytes] of Object.entries(texts)) if (bytes !== undefined) query.set(key, bytes.toString('base64'))
  return `/dict?${query}`
}

type Answer<T> = Readonly<{ httpStatus: number; body: T }>

/** A client of the socket at `socketPath`. Each call is a connection of its own, so that a restarted engine is no special case. */
export function createEngineAdmin(socketPath: string): EngineAdmin {
  const dispatcher = new Agent({ connect: { socketPath }, pipelining: 0 })

  async function call<T>(path: string, body: string | undefined, timeout: number, schema: z.ZodType<T>) {
    const answer = await request(`http://engine${path}`, {
      dispatcher,
      method: body === undefined ? 'GET' : 'POST',
      body,
      headersTimeout: timeout,
      bodyTimeout: timeout,
    })
    const parsed: Answer<T> = { httpStatus: answer.statusCode, body: schema.parse(await answer.body.json()) }
    return parsed
  }

  async function apply(batch: EngineBatch): Promise<EngineApplied> {
    const body = JSON.stringify(batch)
    for (let attempt = 1; ; attempt++) {
      const answer = await call('/apply', body, APPLY_TIMEOUT_MS, engineApplied)
      // 409: another batch is being applied, e.g. one whose sender was killed meanwhile.
      if (answer.httpStatus !== 409 || attempt === TRIES) return answer.body
      await pause(BUSY_PAUSE_MS, new AbortController().signal)
    }
  }

  return {
    apply,
    status: async () => (await call('/status', undefined, STATUS_TIMEOUT_MS, engineStatus)).body,
    dict: async (question) => (await call(dictPath(question), undefined, DICT_TIMEOUT_MS, engineDict)).body,
    close: () => dispatcher.destroy(),
  }
}
