/** The console's API as a person's browser calls it: by operation, with the contract's types on both sides. */
import { request } from 'node:http'
import type { Lang } from '@tidegate/contract/enums'
import { type CallOf, type OperationId, type OutputOf, operationById } from '@tidegate/contract/operations/index'

/** An answer that is no success. `status` 0: no answer at all, so nobody knows whether the call was carried out. */
export class ApiError extends Error {
  constructor(
    readonly operation: string,
    readonly status: number,
    readonly body: { error?: string; msg?: string; errors?: { path: string; msg: string }[] },
  ) {
    super(`${operation}: ${status} ${JSON.stringify(body)}`)
    this.name = 'ApiError'
  }
}

export interface Api {
  /** Throws ApiError. */
  call<Id extends OperationId>(id: Id, input: CallOf<Id>, lang?: Lang): Promise<OutputOf<Id>>
  /** Logs in; later calls carry the token. */
  login(username: string, password: string): Promise<void>
}

const PATIENCE_MS = 20_000

/** `base` is asked at each call: the address of the console's port. */
export function createApi(base: () => string): Api {
  let token = ''

  const call = async <Id extends OperationId>(id: Id, input: CallOf<Id>, lang: Lang = 'en'): Promise<OutputOf<Id>> => {
    const op = operationById(id)
    const rest: Record<string, unknown> = { ...(input as Record<string, unknown>) }
    const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = rest[name]
      delete rest[name]
      return encodeURIComponent(String(value))
    })
    const url = new URL(`/antsxdp/${path}`, base())
    const isGet = op.method === 'GET'
    if (isGet) for (const [name, value] of Object.entries(rest)) url.searchParams.set(name, String(value))
    const answer = await send(id, url, op.method, isGet ? undefined : JSON.stringify(rest), { token, lang })
    if (answer.status !== 200) throw new ApiError(id, answer.status, answer.body)
    return op.output.parse(answer.body) as OutputOf<Id>
  }

  return {
    call,
    async login(username, password) {
      token = (await call('auth.login', { username, password })).token
    },
  }
}

interface Received {
  status: number
  body: Record<string, unknown>
}

function send(
  id: string,
  url: URL,
  method: string,
  body: string | undefined,
  headers: Record<string, string>,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const unknown = (why: string) => reject(new ApiError(id, 0, { msg: why }))
    const call = request(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      agent: false,
      timeout: PATIENCE_MS,
    })
    call.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', (error) => unknown(error.message))
      response.on('end', () => {
        try {
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> })
        } catch {
          unknown(`not JSON: ${text.slice(0, 200)}`)
        }
      })
    })
    call.on('timeout', () => call.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)))
    call.on('error', (error) => unknown(error.message))
    call.end(body)
  })
}
