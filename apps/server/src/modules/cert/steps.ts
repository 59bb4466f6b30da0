/** The steps of an order (RFC 8555, 7.1.6): what the authority says decides which one is next. */
import { sql } from 'drizzle-orm'
import { row } from '../../platform/query.ts'
import type { AcmeClient, AcmeOrder, Authorization } from './acme/client.ts'
import { AcmeError, faultOfProblem, OrderFault } from './acme/errors.ts'
import { newKeyPem } from './acme/jws.ts'
import { requestFor } from './acme/request.ts'
import type { Authority } from './authority.ts'
import { areLive, publishAnswers } from './challenges.ts'
import { type CertModuleDeps, orderKeyAad, type StoredOrder } from './deps.ts'
import { systemResolve, warningsOf } from './dns.ts'
import { succeed } from './finish.ts'
import { setPlaced, setStep, setWarnings } from './orders.ts'
import { parseCert } from './parse.ts'
import { moveCert } from './status.ts'

export type Client = AcmeClient & { thumbprint: string }
type Open = (authority: Authority) => Promise<Client>

const ACK_LOOK_MS = 100
const POLL_MS = 1_000
/** So long an authority may take to validate or to issue before it is asked by a new try. */
const AUTHORITY_MS = 300_000
const KEY_AUTHORIZATION_PATH = 'http-01'

/** Does one step; answers how many milliseconds the next one has to wait. Throws faults. */
export const stepOf = async (
  deps: CertModuleDeps,
  order: StoredOrder,
  authority: Authority,
  open: Open,
): Promise<number> => {
  if (order.step === 'waiting') return begin(deps, order)
  const client = await open(authority)
  if (order.orderUrl === '') return place(deps, order, client)
  const known = await client.order(order.orderUrl)
  switch (known.status) {
    case 'pending':
      return order.step === 'validating' ? poll(order, known) : prepare(deps, order, client, known)
    case 'ready':
      return finalize(deps, order, client, known)
    case 'processing':
      return poll(order, known)
    case 'valid':
      return take(deps, order, client, known)
    case 'invalid':
      throw await whyInvalid(client, known)
  }
}

/** From here on the certificate counts as applied for, unless there is a good one that is to be renewed. */
const begin = async (deps: CertModuleDeps, order: StoredOrder): Promise<number> => {
  await deps.database.db.transaction(async (tx) => {
    const cert = await row<{ bare: boolean }>(
      tx,
      sql`SELECT not_after IS NULL AS bare FROM cert WHERE id = ${order.certId} FOR UPDATE`,
    )
    if (cert?.bare) await moveCert(tx, order.certId, 'applying', deps.clock.now())
    await setStep(tx, order.id, 'ordering')
  })
  return 0
}

/** A new key each time. The order's address is stored at once: whoever goes on finds it. */
const place = async (deps: CertModuleDeps, order: StoredOrder, client: Client): Promise<number> => {
  const { db } = deps.database
  if (order.reason === 'apply' && order.tries === 0) {
    const authority = client.directory.meta.caaIdentities ?? []
    await setWarnings(db, order.id, await warningsOf(db, deps.resolve ?? systemResolve(), order.names, authority))
  }
  const { url } = await newOrder(order, client)
  await setPlaced(db, order.id, url, deps.secrets.seal(newKeyPem(), orderKeyAad(order.id)))
  return 0
}

/** An authority that does not take `replaces` for this certificate issues all the same without it (RFC 9773, 5). */
const newOrder = async (order: StoredOrder, client: Client) => {
  const replaces = client.directory.renewalInfo ? order.replaces : ''
  try {
    return await client.newOrder(order.names, replaces)
  } catch (error) {
    const aboutIt = error instanceof AcmeError && ['alreadyReplaced', 'malformed', 'unauthorized'].includes(error.type)
    if (replaces === '' || !aboutIt) throw error
    return client.newOrder(order.names, '')
  }
}

interface Waiting {
  host: string
  token: string
  url: string
}

const waitingOf = (authorizations: readonly Authorization[]): Waiting[] =>
  authorizations
    .filter((one) => one.status === 'pending')
    .flatMap((one) => {
      const found = one.challenges.find((c) => c.type === KEY_AUTHORIZATION_PATH)
      if (found?.token === undefined) throw new OrderFault('no_http01')
      // One that the authority looks at already needs no further word.
      return found.status === 'pending' ? [{ host: one.identifier.value, token: found.token, url: found.url }] : []
    })

/** Brings the answers to the edges, waits until they are live there, then tells the authority. */
const prepare = async (deps: CertModuleDeps, order: StoredOrder, client: Client, known: AcmeOrder): Promise<number> => {
  if (order.pushes.length > 0 && !(await areLive(deps, order))) return ACK_LOOK_MS
  const authorizations: Authorization[] = []
  for (const url of known.authorizations) authorizations.push(await client.authorization(url))
  const waiting = waitingOf(authorizations)
  if (order.pushes.length === 0 && waiting.length > 0) {
    const answers = waiting.map(({ host, token }) => ({
      host,
      token,
      keyAuthorization: `${token}.${client.thumbprint}`,
    }))
    await publishAnswers(deps, order, answers)
    return 0
  }
  for (const { url } of waiting) await client.respond(url)
  await setStep(deps.database.db, order.id, 'validating')
  return ACK_LOOK_MS
}

const poll = (order: StoredOrder, known: AcmeOrder): number => {
  if (order.stepAge > AUTHORITY_MS) throw new OrderFault('busy', '', {}, 0)
  return Math.max(known.retryAfter ?? 0, POLL_MS)
}

const finalize = async (
  deps: CertModuleDeps,
  order: StoredOrder,
  client: Client,
  known: AcmeOrder,
): Promise<number> => {
  await setStep(deps.database.db, order.id, 'finalizing')
  const keyPem = deps.secrets.open(order.keySealed, orderKeyAad(order.id))
  await client.finalize(known.finalize, await requestFor(keyPem, order.names))
  return ACK_LOOK_MS
}

const take = async (deps: CertModuleDeps, order: StoredOrder, client: Client, known: AcmeOrder): Promise<number> => {
  if (known.certificate === undefined) return poll(order, known)
  const keyPem = deps.secrets.open(order.keySealed, orderKeyAad(order.id))
  const parsed = parseCert(await client.certificate(known.certificate), keyPem, deps.clock.now())
  if (Array.isArray(parsed)) throw new OrderFault('bad_certificate', parsed.map((f) => f.key).join(', '))
  await succeed(deps, order, parsed)
  return 0
}

/** The validation that failed says more than the order. */
const whyInvalid = async (client: Client, known: AcmeOrder): Promise<OrderFault> => {
  for (const url of known.authorizations) {
    const { status, challenges, identifier } = await client.authorization(url)
    const error = challenges.find((c) => c.error !== undefined)?.error
    if (status !== 'invalid' || !error) continue
    const fault = faultOfProblem(error)
    return new OrderFault(fault.key, `${identifier.value}: ${fault.detail}`.slice(0, 2000))
  }
  return known.error ? faultOfProblem(known.error) : new OrderFault('refused')
}
