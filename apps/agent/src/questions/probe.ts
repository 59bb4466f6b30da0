/** A request to a web address for an operator: what comes back, by what certificate, and how long each part of it took. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { isIP, isIPv6 } from 'node:net'
import type { TLSSocket } from 'node:tls'
import {
  MAX_HEADER_CHARS,
  MAX_PROBE_BYTES,
  MAX_PROBE_HEADERS,
  MAX_PROBE_TEXT,
  type ProbeAnswer,
  type ProbeFault,
} from '@tidegate/contract/node/lookups'
import type { QuestionAnswer, QuestionInput } from '@tidegate/contract/node/questions'
import { type Allowances, mayReach } from '../resolve/guard.ts'
import type { Lookup } from '../resolve/lookup.ts'
import { Fault } from './answer.ts'

const LIMIT_MS = 8_000
const TEXT = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript|problem))/i

const FAULTS: Readonly<Record<string, ProbeFault>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ENOTFOUND: 'unresolved',
  ENODATA: 'unresolved',
  ETIMEDOUT: 'timeout',
  ABORT_ERR: 'timeout',
}

interface ProbeDeps {
  allowed: () => Allowances
  lookup: Lookup
  /** The node's own edge. */
  own: { host: string; ports: { httpPort: number; httpsPort: number } }
  /** Milliseconds for all of it. */
  limitMs?: number
}
type Target = Readonly<{ address: string; port: number }>
type Clock = () => number

/** Never fails for what the net does: that is part of the answer. A fault `private` for an address that may not be reached. */
export const prober =
  ({ allowed, lookup, own, limitMs = LIMIT_MS }: ProbeDeps) =>
  async ({ url: text, method, way }: QuestionInput<'probe'>): Promise<QuestionAnswer<'probe'>> => {
    const url = new URL(text)
    const secure = url.protocol === 'https:'
    const began = performance.now()
    const clock = () => Math.round((performance.now() - began) * 10) / 10
    const port = Number(url.port) || (secure ? 443 : 80)
    const answer = emptyAnswer()
    try {
      const target =
        way === 'edge'
          ? { address: own.host, port: secure ? own.ports.httpsPort : own.ports.httpPort }
          : { address: await addressOf(url, port, allowed(), lookup), port }
      if (way === 'net' && isIP(bare(url.hostname)) === 0) answer.times.lookup = clock()
      Object.assign(answer, target)
      await send({ url, method, target, clock, answer, limitMs })
    } catch (error) {
      if (error instanceof Fault) throw error
      const { code = '', message = '' } = error as NodeJS.ErrnoException
      answer.fault = FAULTS[code] ?? faultOf(code, secure, answer)
      answer.code = (code || message).slice(0, 200)
    }
    answer.times.total = clock()
    return answer
  }

/** Codes of TLS are many; before the handshake is done the others can only be of it. */
const faultOf = (code: string, secure: boolean, answer: ProbeAnswer): ProbeFault => {
  if (code.startsWith('HPE_')) return 'malformed'
  if (answer.times.connect === null) return 'unresolved'
  return secure && answer.times.tls === null ? 'tls' : 'malformed'
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '')

const emptyAnswer = (): ProbeAnswer => ({
  ...{ fault: null, code: '', address: '', port: 0, status: 0, reason: '', headers: [], tls: null },
  times: { lookup: null, connect: null, tls: null, first: null, total: 0 },
  ...{ bytes: 0, cut: false, text: '' },
})

/** All addresses of the name must be allowed: what was checked is what is connected to. */
const addressOf = async (url: URL, port: number, allowed: Allowances, lookup: Lookup): Promise<string> => {
  const host = bare(url.hostname)
  const addresses = isIP(host) === 0 ? await lookup(host) : [host]
  const forbidden = addresses.find((address) => !mayReach(allowed, host, address, port))
  if (forbidden !== undefined) throw new Fault('private', forbidden)
  // A node without IPv6 is no fault of what is looked at.
  return addresses.find((address) => !isIPv6(address)) ?? addresses[0] ?? host
}

interface Sending {
  url: URL
  method: 'GET' | 'HEAD'
  target: Target
  clock: Clock
  /** Filled while it goes on. */
  answer: ProbeAnswer
  limitMs: number
}

const send = ({ url, method, target, clock, answer, limitMs }: Sending): Promise<void> =>
  new Promise((resolve, reject) => {
    const secure = url.protocol === 'https:'
    const name = bare(url.hostname)
    const options: RequestOptions = {
      ...{ method, host: target.address, port: target.port, path: `${url.pathname}${url.search}`, agent: false },
      headers: { host: url.host, 'user-agent': 'Tidegate-Probe', accept: '*/*', connection: 'close' },
      signal: AbortSignal.timeout(limitMs),
      // What is wrong with a certificate is what one wants to see.
      ...(secure && { rejectUnauthorized: false, ...(isIP(name) === 0 && { servername: name }) }),
    }
    const request = secure ? httpsRequest(options) : httpRequest(options)
    request.on('error', reject)
    request.on('socket', (socket) => {
      socket.once('connect', () => {
        answer.times.connect = clock()
      })
      socket.once('secureConnect', () => {
        answer.times.tls = clock()
        answer.tls = tlsOf(socket as TLSSocket)
      })
    })
    request.on('response', (response) => {
      answer.times.first = clock()
      answer.status = response.statusCode ?? 0
      answer.reason = (response.statusMessage ?? '').slice(0, 200)
      answer.headers = headersOf(response)
      readBody(response, answer).then(resolve, reject)
    })
    request.end()
  })

const headersOf = ({ rawHeaders }: IncomingMessage): ProbeAnswer['headers'] =>
  Array.from({ length: Math.min(rawHeaders.length / 2, MAX_PROBE_HEADERS) }, (_, i) => [
    rawHeaders[i * 2] ?? '',
    (rawHeaders[i * 2 + 1] ?? '').slice(0, MAX_HEADER_CHARS),
  ])

/** Reads on to the limit, since the time that all of it takes is asked for, and keeps the beginning of a text. */
const readBody = (response: IncomingMessage, answer: ProbeAnswer): Promise<void> =>
  new Promise((resolve, reject) => {
    const kept: Buffer[] = []
    let keptBytes = 0
    const end = () => {
      if (TEXT.test(response.headers['content-type'] ?? '') && response.headers['content-encoding'] === undefined)
        answer.text = new TextDecoder().decode(Buffer.concat(kept)).slice(0, MAX_PROBE_TEXT)
      resolve()
    }
    response.on('error', reject)
    response.on('data', (chunk: Buffer) => {
      answer.bytes += chunk.length
      if (keptBytes < MAX_PROBE_TEXT * 4) {
        kept.push(chunk.subarray(0, MAX_PROBE_TEXT * 4 - keptBytes))
        keptBytes += chunk.length
      }
      if (answer.bytes <= MAX_PROBE_BYTES) return
      answer.cut = true
      response.off('error', reject)
      response.on('error', () => {})
      response.destroy()
      end()
    })
    response.on('end', end)
  })

const joined = (name: object | undefined): string =>
  Object.entries(name ?? {})
    .flatMap(([key, value]) => [value].flat().map((one) => `${key}=${one}`))
    .join(', ')
const isoTime = (text: string | undefined): string => {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? '' : new Date(time).toISOString()
}

const tlsOf = (socket: TLSSocket): ProbeAnswer['tls'] => {
  const certificate = socket.getPeerCertificate()
  return {
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher().name,
    subject: joined(certificate.subject),
    issuer: joined(certificate.issuer),
    names: (certificate.subjectaltname ?? '')
      .split(', ')
      .filter((name) => name !== '')
      .slice(0, 100)
      .map((name) => name.replace(/^(?:DNS|IP Address):/, '')),
    notBefore: isoTime(certificate.valid_from),
    notAfter: isoTime(certificate.valid_to),
    problem: socket.authorized ? '' : String(socket.authorizationError ?? 'unknown'),
  }
}
