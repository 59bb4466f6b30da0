/** The typed client: every operation of the contract by its id. */
import { REQUEST_TIMEOUT_MS } from '@tidegate/contract/limits'
import type { CallOf, OperationId, OutputOf } from '@tidegate/contract/operations/index'
import { here } from '../console.ts'
import { currentLang } from '../i18n.ts'
import { useMaintenance } from '../maintenance.ts'
import { sessionExpired, token } from '../token.ts'
import { apiBase } from './base.ts'
import { ApiError, type ApiFailure, Cancelled } from './error.ts'
import { httpRequest } from './request.ts'
import { wireOf } from './wire.ts'

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** A read that outlives navigation (the shell's own). */
  keep?: boolean
  /** A refused login is the caller's own matter: no re-login dialog. */
  quiet?: boolean
  /** May take as long as it takes: a large file. */
  long?: boolean
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

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const MAX_TEXT = 200

/** An answer without an envelope: its own short text, else the status line's. */
const textOf = (response: Response, body: Body | undefined): string =>
  (text(body?.message) || text(body?.error) || response.statusText).slice(0, MAX_TEXT)

const noAnswer = (status: number): ApiFailure => ({
  code: status,
  status,
  error: '',
  msg: '',
  errors: [],
  requestId: '',
  captchaRequired: false,
  body: {},
})

const failureOf = (response: Response, body: Body | undefined): ApiFailure => {
  const none = noAnswer(response.status)
  const requestId = text(body?.requestId) || (response.headers.get('x-request-id') ?? '')
  const code = Number(body?.code)
  if (body === undefined || text(body.msg) === '' || !Number.isFinite(code))
    return { ...none, requestId, msg: textOf(response, body) }
  return {
    ...none,
    code,
    error: text(body.error),
    msg: text(body.msg),
    errors: Array.isArray(body.errors) ? (body.errors as ApiFailure['errors']) : [],
    requestId,
    captchaRequired: body.captchaRequired === true,
    body,
  }
}

/** One request on its way. */
interface Sent {
  id: OperationId
  options: CallOptions
  token: string | null
  signal: AbortSignal
}

/** Settles only when it is given up. */
const untilGivenUp = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/**
 * A refused login that was held has ended, and the dialog tells so. Until the person confirms, the page keeps what it shows and what was typed into it: a read
 * stays without an answer, and a write's error is silent. Wrong credentials are a 401 too; they are quiet.
 */
const fail = async (response: Response, body: Body | undefined, sent: Sent): Promise<never> => {
  const failure = failureOf(response, body)
  if (failure.error === 'customers_read_only') useMaintenance.setState({ refused: true })
  const expired = failure.code === 401 && sent.options.quiet !== true
  if (expired && sent.token !== null) sessionExpired(sent.token)
  if (expired && wireOf(sent.id).effect === 'read') return await untilGivenUp(sent.signal)
  throw new ApiError(failure, expired)
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
    throw new ApiError(noAnswer(error instanceof DOMException && error.name === 'TimeoutError' ? 408 : 0))
  } finally {
    reads.delete(own)
  }
}

const send = (id: OperationId, input: Body, signal: AbortSignal) => {
  const { method, url, body } = httpRequest(apiBase(), wireOf(id), input)
  return fetch(url, { method, headers: headers(body), body: body ?? null, signal, cache: 'no-store' })
}

const withTimeout = (signal: AbortSignal, long = false) =>
  long ? signal : AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)])

const jsonOf = async (response: Response): Promise<Body | undefined> => {
  if (!(response.headers.get('content-type') ?? '').includes('json')) return undefined
  const value: unknown = await response.json().catch((error: unknown) => {
    // Cut or mangled on its way: the status speaks for it.
    if (error instanceof SyntaxError) return undefined
    throw error
  })
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
    const sent = { id, options, token: token(), signal }
    const response = await send(id, input as Body, withTimeout(signal))
    const body = await jsonOf(response)
    return succeeded(response, body) ? (body as OutputOf<Id>) : fail(response, body, sent)
  })

/** Calls an operation that takes a file: a form with the other members first. The browser writes the form's own type. */
export const callWithFile = <Id extends OperationId>(
  id: Id,
  fields: Omit<CallOf<Id>, 'file'>,
  file: Blob,
  options: CallOptions = {},
): Promise<OutputOf<Id>> =>
  guarded(id, options, async (signal) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
    form.append('file', file)
    const sent = { id, options, token: token(), signal }
    const { method, path } = wireOf(id)
    const request = { method, headers: headers(undefined), body: form, signal: withTimeout(signal, options.long) }
    const response = await fetch(apiBase() + path, { ...request, cache: 'no-store' })
    const body = await jsonOf(response)
    return succeeded(response, body) ? (body as OutputOf<Id>) : fail(response, body, sent)
  })

/** Reads an image operation; the blob's type is the server's. */
export const image = <Id extends OperationId>(id: Id, input: CallOf<Id>, options: CallOptions = {}): Promise<Blob> =>
  guarded(id, options, async (signal) => {
    const sent = { id, options, token: token(), signal }
    const response = await send(id, input as Body, withTimeout(signal))
    return response.ok ? await response.blob() : fail(response, await jsonOf(response), sent)
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
    const sent = { id, options, token: token(), signal }
    const response = await send(id, input as Body, withTimeout(signal, options.long))
    if (!response.ok) return fail(response, await jsonOf(response), sent)
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
    const sent = { id, options, token: token(), signal }
    const response = await send(id, input as Body, signal)
    if (!response.ok || response.body === null) return fail(response, await jsonOf(response), sent)
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
