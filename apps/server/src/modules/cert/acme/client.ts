/** A client of ACME (RFC 8555, RFC 9773): every call is bounded in time and size, and trusts what its authority's settings say. */
import { z } from 'zod'
import { type OutgoingAnswer, OutgoingError, outgoing } from '../../../platform/outgoing.ts'
import { AcmeError, detailOf, type Problem, typeOf } from './errors.ts'
import { type AccountKey, bindAccount, signJws } from './jws.ts'

const TIMEOUT_MS = 20_000
/** An authority may refuse a nonce at any time (RFC 8555, 6.5). */
const NONCE_TRIES = 20
const USER_AGENT = 'tidegate-acme/1'

const address = z.string().regex(/^https:\/\//i)

const directory = z.object({
  newNonce: address,
  newAccount: address,
  newOrder: address,
  renewalInfo: address.optional(),
  meta: z
    .object({
      termsOfService: z.string().optional(),
      caaIdentities: z.array(z.string()).optional(),
      externalAccountRequired: z.boolean().optional(),
    })
    .default({}),
})
export type Directory = z.infer<typeof directory>

const problem: z.ZodType<Problem> = z.object({
  type: z.string().optional(),
  detail: z.string().optional(),
  subproblems: z.array(z.object({ type: z.string().optional(), detail: z.string().optional() })).optional(),
})

const order = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  authorizations: z.array(address),
  finalize: address,
  certificate: address.optional(),
  error: problem.optional(),
})
export type AcmeOrder = z.infer<typeof order> & { retryAfter: number | null }

const challenge = z.object({
  type: z.string(),
  url: address,
  status: z.string(),
  token: z.string().optional(),
  error: problem.optional(),
})
const authorization = z.object({
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  identifier: z.object({ type: z.string(), value: z.string() }),
  challenges: z.array(challenge),
})
export type Authorization = z.infer<typeof authorization>

const renewalInfo = z.object({ suggestedWindow: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }) })

/** Where the authority is and what is trusted there. `caBundle`: PEM, or empty. */
export interface Peer {
  directoryUrl: string
  caBundle: string
}

const send = async (peer: Peer, method: 'GET' | 'HEAD' | 'POST', url: string, body?: string) => {
  try {
    return await outgoing({
      method,
      url,
      timeoutMs: TIMEOUT_MS,
      // The operator named the authority; private ones are ordinary.
      allowPrivate: true,
      headers: { 'user-agent': USER_AGENT, ...(body && { 'content-type': 'application/jose+json' }) },
      ...(body && { body }),
      ...(peer.caBundle !== '' && { ca: peer.caBundle }),
    })
  } catch (error) {
    throw new AcmeError('unreachable', error instanceof OutgoingError ? error.message : String(error))
  }
}

/** Seconds or a date (RFC 9110, 10.2.3) as milliseconds from now; null = not said. */
export const retryAfterOf = (value: string | undefined, now: number): number | null => {
  if (value === undefined) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

const parsed = <T>(schema: z.ZodType<T>, answer: OutgoingAnswer): T => {
  let body: unknown
  try {
    body = JSON.parse(answer.text)
  } catch {
    throw new AcmeError('foreign', `HTTP ${answer.status}, not JSON`)
  }
  const result = schema.safeParse(body)
  if (result.success) return result.data
  throw new AcmeError('foreign', result.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; '))
}

const refusal = (answer: OutgoingAnswer): AcmeError => {
  const wait = retryAfterOf(answer.headers['retry-after'], Date.now())
  let body: Problem = {}
  try {
    body = problem.safeParse(JSON.parse(answer.text)).data ?? {}
  } catch {
    body = {}
  }
  const detail = detailOf(body) || `HTTP ${answer.status}`
  return new AcmeError('problem', detail.slice(0, 2000), typeOf(body), answer.status, wait)
}

/** Throws AcmeError when there is none at the address. */
export const readDirectory = async (peer: Peer): Promise<Directory> => {
  const answer = await send(peer, 'GET', peer.directoryUrl)
  if (answer.status !== 200) throw new AcmeError('foreign', `HTTP ${answer.status}`)
  return parsed(directory, answer)
}

/** When the authority wants a certificate to be renewed. `certId`: see `ariId`. */
export const readRenewalInfo = async (peer: Peer, base: string, certId: string) => {
  const answer = await send(peer, 'GET', `${base.replace(/\/$/, '')}/${certId}`)
  if (answer.status !== 200) throw refusal(answer)
  const { start, end } = parsed(renewalInfo, answer).suggestedWindow
  const retryAfter = retryAfterOf(answer.headers['retry-after'], Date.now())
  return { start: Date.parse(start), end: Date.parse(end), retryAfter }
}

export interface AcmeClient {
  directory: Directory
  /** Registers the account, or finds the one of this key; answers its address. */
  account(email: string, eab: { kid: string; hmacKey: string } | null): Promise<string>
  /** `replaces`: see `ariId`; '' = none. */
  newOrder(names: readonly string[], replaces: string): Promise<{ url: string }>
  order(url: string): Promise<AcmeOrder>
  authorization(url: string): Promise<Authorization>
  /** Tells the authority that the answer is in place. */
  respond(challengeUrl: string): Promise<void>
  /** `csr`: base64url of the DER. */
  finalize(url: string, csr: string): Promise<void>
  /** PEM chain, leaf first. */
  certificate(url: string): Promise<string>
}

/** `accountUrl` '' until `account` was called. */
export const openAcme = async (peer: Peer, key: AccountKey, accountUrl: string): Promise<AcmeClient> => {
  const where = await readDirectory(peer)
  const nonces: string[] = []
  let kid = accountUrl

  const keepNonce = (answer: OutgoingAnswer) => {
    const nonce = answer.headers['replay-nonce']
    if (typeof nonce === 'string') nonces.push(nonce)
  }
  const nextNonce = async (): Promise<string> => {
    if (nonces.length === 0) keepNonce(await send(peer, 'HEAD', where.newNonce))
    const nonce = nonces.pop()
    if (nonce === undefined) throw new AcmeError('foreign', 'no nonce was given')
    return nonce
  }
  const post = async (url: string, payload: unknown): Promise<OutgoingAnswer> => {
    for (let tries = 1; ; tries++) {
      const signer = kid === '' ? { jwk: key.jwk } : { kid }
      const body = JSON.stringify(signJws(key, { ...signer, nonce: await nextNonce(), url }, payload))
      const answer = await send(peer, 'POST', url, body)
      keepNonce(answer)
      if (answer.status < 400) return answer
      const error = refusal(answer)
      if (error.type !== 'badNonce' || tries >= NONCE_TRIES) throw error
    }
  }
  const located = (answer: OutgoingAnswer): string => {
    const url = answer.headers.location
    if (url === undefined) throw new AcmeError('foreign', 'no location was given')
    return url
  }

  return {
    directory: where,
    account: async (email, eab) => {
      kid = ''
      const answer = await post(where.newAccount, {
        termsOfServiceAgreed: true,
        ...(email !== '' && { contact: [`mailto:${email}`] }),
        ...(eab && { externalAccountBinding: bindAccount(key, where.newAccount, eab) }),
      })
      kid = located(answer)
      return kid
    },
    newOrder: async (names, replaces) => {
      const identifiers = names.map((value) => ({ type: 'dns', value }))
      const answer = await post(where.newOrder, { identifiers, ...(replaces !== '' && { replaces }) })
      return { url: located(answer) }
    },
    order: async (url) => {
      const answer = await post(url, null)
      return { ...parsed(order, answer), retryAfter: retryAfterOf(answer.headers['retry-after'], Date.now()) }
    },
    authorization: async (url) => parsed(authorization, await post(url, null)),
    respond: async (url) => {
      await post(url, {})
    },
    finalize: async (url, csr) => {
      await post(url, { csr })
    },
    certificate: async (url) => (await post(url, null)).text,
  }
}
