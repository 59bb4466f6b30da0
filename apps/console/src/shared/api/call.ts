/** The typed client: every operation of the contract by its id. */
import { REQUEST_TIMEOUT_MS } from '@tidegate/contract/limits'
import type { CallOf, OperationId, OutputOf } from '@tidegate/contract/operations/index'
import { apiBase, here } from '../console.ts'
import { currentLang } from '../i18n.ts'
import { sessionExpired, token } from '../token.ts'
import { ApiError, type ApiFailure, Cancelled, statusText } from './error.ts'
import { httpRequest } from './request.ts'
import { wireOf } from './wire.ts'

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** A read that outlives navigation (the shell's own). */
  keep?: boolean
  /** A refused login is the caller's own matter: no re-login dialog. */
  quiet?: boolean
}

const reads = new Set<AbortController>()

/** Gives up the reads under way, as on each navigation. Writes go on. */
export const cancelReads = (): void => {
  for (const read of reads) read.abort(new Cancelled())
  reads.clear()
}

const headers = (body: string | undefined): Record<string, string> => {
  const held = token()
  return {
    accept: 'application/json',
    lang: currentLang(),
    console: here.id,
    ...(held === null ? {} : { token: held }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
}

type Body = Record<string, unknown>

const failureOf = (status: number, body: Body | undefined): ApiFailure => {
  const said = typeof body?.msg === 'string' && body.msg !== ''
  const code = Number(body?.code)
  return {
    code: said && Number.isFinite(code) ? code : status,
    error: typeof body?.error === 'string' ? body.error : '',
    msg: said ? String(body.msg) : statusText(status),
    errors: Array.isArray(body?.errors) ? (body.errors as ApiFailure['errors']) : [],
    requestId: typeof body?.requestId === 'string' ? body.requestId : '',
    captchaRequired: body?.captchaRequired === true,
  }
}

const fail = (status: number, body: Body | undefined, sent: string | null, options: CallOptions): never => {
  const failure = failureOf(status, body)
  // Wrong credentials are a 401 too; only a login that was held can expire.
  if (failure.code === 401 && sent !== null && options.quiet !== true) sessionExpired(sent)
  throw new ApiError(failure)
}

/** Runs a fetch under the operation's rules; turns what fetch throws into ours. */
const guarded = async <T>(
  id: OperationId,
  options: CallOptions,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const own = new AbortController()
  if (wireOf(id).effect === 'read' && options.keep !== true) reads.add(own)
  const signals = [own.signal, ...(options.signal === undefined ? [] : [options.signal])]
  try {
    return await run(AbortSignal.any(signals))
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (own.signal.aborted || options.signal?.aborted === true) throw new Cancelled()
    throw new ApiError(failureOf(error instanceof DOMException && error.name === 'TimeoutError' ? 408 : 0, undefined))
  } finally {
    reads.delete(own)
  }
}

const send = (id: OperationId, input: Body, signal: AbortSignal) => {
  const { method, url, body } = httpRequest(apiBase(), wireOf(id), input)
  return fetch(url, { method, headers: headers(body), body: body ?? null, signal, cache: 'no-store' })
}

const jsonOf = async (response: Response): Promise<Body | undefined> => {
  if (!(response.headers.get('content-type') ?? '').includes('json')) return undefined
  const value: unknown = await response.json()
  return typeof value === 'object' && value !== null ? (value as Body) : undefined
}

const succeeded = (response: Response, body: Body | undefined): body is Body =>
  response.ok && body !== undefined && ['0', '1'].includes(String(body.code))

/** Calls an operation. Rejects with ApiError, or Cancelled. */
export const call = <Id extends OperationId>(
  id: Id,
  input: CallOf<Id>,
  options: CallOptions = {},
): Promise<OutputOf<Id>> =>
  guarded(id, options, async (signal) => {
    const sent = token()
    const response = await send(id, input as Body, AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]))
    const body = await jsonOf(response)
    if (!succeeded(response, body)) return fail(response.status, body, sent, options)
    return body as OutputOf<Id>
  })

/** Reads an image operation; the blob's type is the server's. */
export const image = <Id extends OperationId>(id: Id, input: CallOf<Id>, options: CallOptions = {}): Promise<Blob> =>
  guarded(id, options, async (signal) => {
    const response = await send(id, input as Body, signal)
    if (!response.ok) return fail(response.status, await jsonOf(response), token(), options)
    return response.blob()
  })

export interface Download {
  /** As the server calls it. */
  name: string
  blob: Blob
}

/** RFC 8187 form, which the server always sends beside the plain one. */
const fileName = (disposition: string) => {
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  return coded === undefined ? (/filename="([^"]+)"/.exec(disposition)?.[1] ?? 'file') : decodeURIComponent(coded)
}

/** Fetches the file of an operation of kind `file`: the token goes in a header, never in an address. */
export const download = <Id extends OperationId>(
  id: Id,
  input: CallOf<Id>,
  options: CallOptions = {},
): Promise<Download> =>
  guarded(id, options, async (signal) => {
    const sent = token()
    const response = await send(id, input as Body, signal)
    if (!response.ok) return fail(response.status, await jsonOf(response), sent, options)
    return { name: fileName(response.headers.get('content-disposition') ?? ''), blob: await response.blob() }
  })

/** Splits a growing text at its line ends. */
const splitter = (onText: (line: string) => void) => {
  let rest = ''
  return (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) if (part.trim() !== '') onText(part)
  }
}

/** Reads newline-delimited JSON until the server ends it. Empty lines keep the connection open and are skipped. */
export const stream = <Id extends OperationId>(
  id: Id,
  input: CallOf<Id>,
  onLine: (line: OutputOf<Id>) => void,
  options: CallOptions = {},
): Promise<void> =>
  guarded(id, options, async (signal) => {
    const sent = token()
    const response = await send(id, input as Body, signal)
    if (!response.ok || response.body === null) return fail(response.status, await jsonOf(response), sent, options)
    const take = splitter((text) => onLine(JSON.parse(text) as OutputOf<Id>))
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      take(decoder.decode(value, { stream: true }))
    }
    take('\n')
  })
