/** A small certificate authority that speaks ACME (RFC 8555, RFC 9773) and checks every signature: for what a real one cannot be made to do at will. */
import 'reflect-metadata'
import { createHmac, createPublicKey, randomBytes, verify, webcrypto } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import * as x509 from '@peculiar/x509'
import { selfSigned } from './certificates.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const crypto = webcrypto as Crypto
const PREFIX = 'urn:ietf:params:acme:error:'

interface Refusal {
  type: string
  detail?: string
  status?: number
  /** Seconds. */
  retryAfter?: number
}
type Path = 'newAccount' | 'newOrder' | 'order' | 'finalize' | 'certificate'

interface Order {
  id: number
  names: string[]
  replaces: string
  account: string
  status: 'pending' | 'ready' | 'valid' | 'invalid'
  tokens: Map<string, { token: string; status: 'pending' | 'valid' | 'invalid'; error?: object }>
  chain: string
}

export const startAcmePeer = async () => {
  const tls = await selfSigned(['localhost'])
  const issuer = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const root = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=Peer CA,O=Peer Authority',
      notBefore: new Date(Date.now() - 86_400_000),
      notAfter: new Date(Date.now() + 400 * 86_400_000),
      keys: issuer,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(true, 1, true),
        await x509.SubjectKeyIdentifierExtension.create(issuer.publicKey, false, crypto),
      ],
    },
    crypto,
  )
  const nonces = new Set<string>()
  const accounts = new Map<string, { jwk: object; eab: string }>()
  const orders = new Map<number, Order>()
  const state = {
    /** Each is given once, in their order. */
    refusals: [] as [Path, Refusal][],
    /** kid -> HMAC key, base64url; when there are any, accounts must name one. */
    eab: new Map<string, string>(),
    /** Whether an answer to a challenge is right. */
    validate: async (_host: string, _token: string, _keyAuthorization?: string): Promise<boolean> => true,
    window: null as { start: Date; end: Date; retryAfter?: number } | null,
    /** Milliseconds. */
    lifetime: 90 * 86_400_000,
    /** Every so many nonces one is not taken; 0 = all are. */
    rejectNonce: 0,
    asked: [] as string[],
    onOrder: async (): Promise<void> => {},
  }
  let count = 0
  let posts = 0
  const origin = () => `https://localhost:${(server.address() as AddressInfo).port}`

  const issue = async (order: Order, csr: string) => {
    const request = new x509.Pkcs10CertificateRequest(Buffer.from(csr, 'base64url'))
    if (!(await request.verify(crypto))) throw new Error('the request is not signed by its key')
    const alternative = request.getExtension('2.5.29.17')
    const names = alternative ? new x509.SubjectAlternativeNameExtension(alternative.rawData).names.toJSON() : []
    if (names.map((n) => n.value).join() !== order.names.join()) throw new Error('the request has other names')
    const leaf = await x509.X509CertificateGenerator.create(
      {
        serialNumber: `00${randomBytes(8).toString('hex')}`,
        subject: '',
        issuer: root.subject,
        notBefore: new Date(Date.now() - 60_000),
        notAfter: new Date(Date.now() - 60_000 + state.lifetime),
        publicKey: await request.publicKey.export(crypto),
        signingKey: issuer.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new x509.SubjectAlternativeNameExtension(names),
          await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, crypto),
        ],
      },
      crypto,
    )
    order.chain = `${leaf.toString('pem')}\n${root.toString('pem')}\n`
    order.status = 'valid'
  }

  class Problem extends Error {
    constructor(readonly refusal: Refusal) {
      super(refusal.type)
    }
  }
  const take = (path: Path) => {
    const at = state.refusals.findIndex(([where]) => where === path)
    const [found] = at < 0 ? [] : state.refusals.splice(at, 1)
    if (found) throw new Problem(found[1])
  }
  const orderBody = (order: Order) => ({
    status: order.status,
    identifiers: order.names.map((value) => ({ type: 'dns', value })),
    authorizations: order.names.map((name) => `${origin()}/authz/${order.id}/${name}`),
    finalize: `${origin()}/finalize/${order.id}`,
    ...(order.status === 'valid' && { certificate: `${origin()}/cert/${order.id}` }),
  })
  const challengeOf = (order: Order, name: string) => {
    const one = order.tokens.get(name)
    if (!one) throw new Problem({ type: 'malformed', status: 404 })
    const url = `${origin()}/challenge/${order.id}/${name}`
    return { type: 'http-01', url, token: one.token, status: one.status, ...(one.error && { error: one.error }) }
  }
  const settle = (order: Order) => {
    const all = [...order.tokens.values()]
    if (order.status !== 'pending') return
    if (all.some((one) => one.status === 'invalid')) order.status = 'invalid'
    else if (all.every((one) => one.status === 'valid')) order.status = 'ready'
  }

  const account = (payload: Record<string, unknown>, jwk: object | undefined, url: string) => {
    take('newAccount')
    if (!jwk) throw new Problem({ type: 'malformed' })
    const known = [...accounts].find(([, one]) => JSON.stringify(one.jwk) === JSON.stringify(jwk))
    if (known) return { status: 200, location: known[0], body: { status: 'valid' } }
    const binding = payload.externalAccountBinding as
      | { protected: string; payload: string; signature: string }
      | undefined
    if (state.eab.size > 0 && !binding)
      throw new Problem({ type: 'externalAccountRequired', detail: 'EAB wanted', status: 403 })
    let kid = ''
    if (binding) {
      const head = JSON.parse(Buffer.from(binding.protected, 'base64url').toString()) as {
        kid: string
        url: string
        alg: string
      }
      const key = state.eab.get(head.kid)
      const mac = createHmac('sha256', Buffer.from(key ?? '', 'base64url')).update(
        `${binding.protected}.${binding.payload}`,
      )
      const same = JSON.stringify(jwk) === Buffer.from(binding.payload, 'base64url').toString()
      if (!key || head.alg !== 'HS256' || head.url !== url || !same || mac.digest('base64url') !== binding.signature)
        throw new Problem({ type: 'unauthorized', detail: 'the binding is not right', status: 403 })
      kid = head.kid
    }
    const location = `${origin()}/account/${accounts.size + 1}`
    accounts.set(location, { jwk, eab: kid })
    return { status: 201, location, body: { status: 'valid' } }
  }

  const answer = async (
    path: string,
    payload: Record<string, unknown> | null,
    kid: string,
    jwk: object | undefined,
  ) => {
    const [, what = '', id = '', name = ''] = path.split('/')
    if (what === 'new-account') return account(payload ?? {}, jwk, `${origin()}${path}`)
    if (!accounts.has(kid)) throw new Problem({ type: 'accountDoesNotExist', detail: 'no such account', status: 400 })
    if (what === 'new-order') {
      take('newOrder')
      const { identifiers = [], replaces = '' } = (payload ?? {}) as {
        identifiers?: { value: string }[]
        replaces?: string
      }
      const names = identifiers.map((one) => one.value)
      const tokens = new Map(
        names.map((n) => [n, { token: randomBytes(16).toString('base64url'), status: 'pending' as const }]),
      )
      count += 1
      const order: Order = {
        id: count,
        names,
        tokens,
        account: kid,
        status: 'pending',
        chain: '',
        replaces: replaces,
      }
      orders.set(count, order)
      await state.onOrder()
      return { status: 201, location: `${origin()}/order/${count}`, body: orderBody(order) }
    }
    const order = orders.get(Number(id))
    if (!order) throw new Problem({ type: 'malformed', detail: 'no such order', status: 404 })
    if (what === 'order') take('order')
    if (what === 'order') return { status: 200, body: orderBody(order) }
    if (what === 'authz') {
      const challenge = challengeOf(order, name)
      return {
        status: 200,
        body: { status: challenge.status, identifier: { type: 'dns', value: name }, challenges: [challenge] },
      }
    }
    if (what === 'challenge') {
      const one = order.tokens.get(name)
      if (one && one.status === 'pending') {
        const right = await state.validate(name, one.token)
        order.tokens.set(name, {
          token: one.token,
          status: right ? 'valid' : 'invalid',
          ...(!right && { error: { type: `${PREFIX}unauthorized`, detail: `wrong answer at ${name}` } }),
        })
        settle(order)
      }
      return { status: 200, body: challengeOf(order, name) }
    }
    if (what === 'finalize') {
      take('finalize')
      if (order.status !== 'ready') throw new Problem({ type: 'orderNotReady', status: 403 })
      await issue(order, String(payload?.csr))
      return { status: 200, body: orderBody(order) }
    }
    take('certificate')
    return { status: 200, body: order.chain }
  }

  const read = async (request: IncomingMessage) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    return text
  }
  const post = async (path: string, text: string) => {
    const jws = JSON.parse(text) as { protected: string; payload: string; signature: string }
    const head = JSON.parse(Buffer.from(jws.protected, 'base64url').toString()) as {
      nonce: string
      url: string
      kid?: string
      jwk?: object
    }
    posts += 1
    const isGood = nonces.delete(head.nonce) && !(state.rejectNonce > 0 && posts % state.rejectNonce === 0)
    if (!isGood) throw new Problem({ type: 'badNonce', status: 400 })
    const jwk = head.jwk ?? accounts.get(head.kid ?? '')?.jwk
    if (head.url !== `${origin()}${path}`) throw new Problem({ type: 'unauthorized', status: 401 })
    if (jwk) {
      const key = createPublicKey({ key: jwk as never, format: 'jwk' })
      const data = Buffer.from(`${jws.protected}.${jws.payload}`)
      const fits = verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(jws.signature, 'base64url'))
      if (!fits) throw new Problem({ type: 'malformed', detail: 'the signature is not right' })
    }
    const body =
      jws.payload === ''
        ? null
        : (JSON.parse(Buffer.from(jws.payload, 'base64url').toString()) as Record<string, unknown>)
    return answer(path, body, head.kid ?? '', head.jwk)
  }
  const directory = () => ({
    newNonce: `${origin()}/new-nonce`,
    newAccount: `${origin()}/new-account`,
    newOrder: `${origin()}/new-order`,
    ...(state.window && { renewalInfo: `${origin()}/renewal-info` }),
    meta: { caaIdentities: ['peer.example'], ...(state.eab.size > 0 && { externalAccountRequired: true }) },
  })

  const server = createServer({ key: tls.keyPem, cert: tls.certPem }, (request, response) => {
    const nonce = randomBytes(12).toString('base64url')
    nonces.add(nonce)
    response.setHeader('replay-nonce', nonce)
    const path = request.url ?? '/'
    state.asked.push(`${request.method} ${path.split('/')[1]}`)
    const send = (status: number, body: object | string, location?: string) => {
      if (location) response.setHeader('location', location)
      response.writeHead(status, {
        'content-type': typeof body === 'string' ? 'application/pem-certificate-chain' : 'application/json',
      })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    const work = async () => {
      if (path === '/directory') return send(200, directory())
      if (path === '/new-nonce') return send(200, '')
      if (path.startsWith('/renewal-info/') && state.window) {
        const { start, end, retryAfter } = state.window
        response.setHeader('retry-after', String(retryAfter ?? 21_600))
        return send(200, { suggestedWindow: { start: start.toISOString(), end: end.toISOString() } })
      }
      const { status, body, location } = (await post(path, await read(request))) as {
        status: number
        body: object | string
        location?: string
      }
      send(status, body, location)
    }
    work().catch((error: unknown) => {
      const {
        type,
        detail,
        status = 400,
        retryAfter,
      } = error instanceof Problem
        ? error.refusal
        : { type: 'serverInternal', detail: String(error), status: 500, retryAfter: undefined }
      if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter))
      send(status, { type: PREFIX + type, ...(detail && { detail }) })
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    ...{ state, orders, accounts },
    directoryUrl: `${origin()}/directory`,
    caBundle: tls.certPem,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
export type AcmePeer = Awaited<ReturnType<typeof startAcmePeer>>
