/** What goes wrong with a certificate authority, and what people are told of it. */
import type { CertFaultKey } from '@tidegate/contract/cert'

/** A problem document (RFC 7807) as ACME uses it. */
export interface Problem {
  type?: string | undefined
  detail?: string | undefined
  subproblems?: Problem[] | undefined
}

/** `unreachable`: no whole answer; `foreign`: an answer that is no ACME; `problem`: the authority's own. */
export class AcmeError extends Error {
  override name = 'AcmeError'
  constructor(
    readonly kind: 'unreachable' | 'foreign' | 'problem',
    /** In the authority's or the network's words. */
    readonly detail: string,
    /** Last part of the problem's type, e.g. `rateLimited`. */
    readonly type = '',
    readonly status = 0,
    /** Milliseconds that the authority wants to be left alone. */
    readonly retryAfter: number | null = null,
  ) {
    super(`${kind} ${type}: ${detail}`)
  }
}

/** A fault that ends an order, or, with `after`, one that is tried again. */
export class OrderFault extends Error {
  override name = 'OrderFault'
  constructor(
    readonly key: CertFaultKey,
    readonly detail = '',
    readonly params: Record<string, string> = {},
    /** Least milliseconds until the next try; null: no further try. */
    readonly after: number | null = null,
  ) {
    super(`${key}: ${detail}`)
  }
}

const PREFIX = 'urn:ietf:params:acme:error:'
/** RFC 8555, 6.7. */
const KEYS: Readonly<Record<string, CertFaultKey>> = {
  caa: 'caa',
  connection: 'connection',
  dns: 'dns',
  externalAccountRequired: 'eab_required',
  incorrectResponse: 'challenge',
  invalidContact: 'account',
  rateLimited: 'rate_limited',
  rejectedIdentifier: 'name_refused',
  serverInternal: 'busy',
  tls: 'connection',
  unauthorized: 'challenge',
  unsupportedContact: 'account',
  unsupportedIdentifier: 'name_refused',
  userActionRequired: 'account',
}

export const typeOf = (problem: Problem): string => (problem.type ?? '').replace(PREFIX, '')

/** The problem's words with those of its parts. */
export const detailOf = (problem: Problem): string =>
  [problem.detail ?? '', ...(problem.subproblems ?? []).map(detailOf)].filter((text) => text !== '').join('; ')

/** A validation that failed, or an order that the authority gave up. */
export const faultOfProblem = (problem: Problem): OrderFault =>
  new OrderFault(KEYS[typeOf(problem)] ?? 'refused', detailOf(problem))

/** What an error of the client means for the order. Others are thrown on. */
export const faultOfError = (error: unknown): OrderFault => {
  if (error instanceof OrderFault) return error
  if (!(error instanceof AcmeError)) throw error
  if (error.kind === 'unreachable') return new OrderFault('unreachable', error.detail, {}, 0)
  if (error.kind === 'foreign') return new OrderFault('not_acme', error.detail, {}, 0)
  const key = KEYS[error.type] ?? (error.status >= 500 || error.type === 'badNonce' ? 'busy' : 'refused')
  const again = key === 'busy' || key === 'rate_limited'
  return new OrderFault(key, error.detail, {}, again ? (error.retryAfter ?? 0) : null)
}
