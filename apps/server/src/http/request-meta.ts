/** What is known of a request before its caller is: id, address, language, console. */
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { type API_BASES, CONSOLES, type ConsoleId, type Lang } from '@tidegate/contract/enums'
import type { FastifyRequest } from 'fastify'
import { langOf } from './lang.ts'

export type Base = (typeof API_BASES)[number]

/** 32 lower-case hex digits; a client's own id is never taken over. */
export const newRequestId = () => randomBytes(16).toString('hex')

/** The client's address: by the trusted proxies' X-Forwarded-For, without the IPv4-mapped prefix; what is no address is not believed. */
export const clientIp = (request: FastifyRequest): string => {
  const claimed = request.ip.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(claimed) > 0 ? claimed : (request.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
}

export const userAgent = (request: FastifyRequest) => (request.headers['user-agent'] ?? '').slice(0, 255)

/** Scheme, host and port as the client sent them; by the trusted proxies' X-Forwarded-Proto and -Host. */
export const originOf = (request: FastifyRequest) => `${request.protocol}://${request.host}`

export const requestLang = (request: FastifyRequest, fallback: Lang): Lang =>
  langOf(request.headers.lang, request.headers['accept-language'], fallback)

const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** The variant that a base means; under /api/ the header `console` says it before login. */
export const consoleOf = (base: Base, request: FastifyRequest): ConsoleId | null => {
  if (base === '/antsxdp/') return 'admin'
  if (base === '/ants-dns-api/') return 'dns-admin'
  return CONSOLES.find((c) => c === header(request, 'console')) ?? null
}

const TWIN: Record<'admin' | 'user', Record<ConsoleId, ConsoleId>> = {
  admin: { admin: 'admin', 'dns-admin': 'dns-admin', user: 'admin', 'dns-user': 'dns-admin' },
  user: { admin: 'user', 'dns-admin': 'dns-user', user: 'user', 'dns-user': 'dns-user' },
}

/** The console of that variant for who calls: base and header choose the variant, never the audience. */
export const consoleFor = (kind: 'admin' | 'user', asked: ConsoleId): ConsoleId => TWIN[kind][asked]

/** Only the header `token` counts: never a cookie, never the query. */
export const tokenOf = (request: FastifyRequest): string | null => header(request, 'token')?.trim() || null
