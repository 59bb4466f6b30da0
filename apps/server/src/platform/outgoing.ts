/** Requests to peers outside: bounded in time and size, no redirects, certificates checked; private addresses only where the operator named them. */
import { lookup as resolve } from 'node:dns'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import { isPrivateHost } from './private-address.ts'

export interface OutgoingRequest {
  method: 'GET' | 'HEAD' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
  /** Milliseconds for all of it. */
  timeoutMs: number
  /** False: an address that a customer named; every address it resolves to must be public. */
  allowPrivate: boolean
  /** PEM; authorities that are trusted for this request beside the usual ones. */
  ca?: string
  /** Called when connected, before the first byte of the request goes out; a rejection ends it. */
  beforeSend?: () => Promise<void>
}

export interface OutgoingAnswer {
  status: number
  /** At most `MAX_ANSWER` bytes of it. */
  text: string
  headers: IncomingHttpHeaders
}

export class PrivateAddressError extends Error {}
/** No whole answer came. `handed`: the request may have arrived. */
export class OutgoingError extends Error {
  constructor(
    message: string,
    readonly handed: boolean,
    readonly code: string,
  ) {
    super(message)
  }
}

const MAX_ANSWER = 65_536

/** Resolves like the system, and refuses when one of the addresses is private: what was checked is what is connected to. */
const publicLookup: LookupFunction = (hostname, options, callback) =>
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0)
    if (addresses.length === 0 || addresses.some(({ address }) => isPrivateHost(address)))
      return callback(new PrivateAddressError(`${hostname} is a private address`), '', 0)
    if (options.all) return callback(null, addresses)
    return callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4)
  })

/** Sends one request; throws PrivateAddressError or OutgoingError. Any status is an answer. */
export const outgoing = (wanted: OutgoingRequest): Promise<OutgoingAnswer> => {
  const url = new URL(wanted.url)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`not a web address: ${url.protocol}`)
  if (!wanted.allowPrivate && isPrivateHost(host)) throw new PrivateAddressError(`${host} is a private address`)
  return new Promise((done, failed) => {
    let handed = false
    const body = wanted.body === undefined ? undefined : Buffer.from(wanted.body)
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = start(url, {
      method: wanted.method,
      agent: false,
      headers: { ...wanted.headers, ...(body && { 'content-length': String(body.length) }) },
      signal: AbortSignal.timeout(wanted.timeoutMs),
      ...(!wanted.allowPrivate && { lookup: publicLookup }),
      ...(wanted.ca && { ca: [...rootCertificates, wanted.ca] }),
    })
    const fail = (error: NodeJS.ErrnoException) =>
      failed(
        error instanceof PrivateAddressError
          ? error
          : new OutgoingError(error.message, handed, error.code ?? error.name),
      )
    const send = async () => {
      await wanted.beforeSend?.()
      handed = true
      request.end(body)
    }
    request.on('error', fail)
    request.on('socket', (socket) =>
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        send().catch((error: Error) => {
          failed(error)
          request.destroy()
        })
      }),
    )
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('error', fail)
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= MAX_ANSWER) chunks.push(chunk)
        else response.destroy(new OutgoingError('the answer is too long', true, 'TOO_LONG'))
      })
      response.on('end', () =>
        done({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          headers: response.headers,
        }),
      )
    })
  })
}
