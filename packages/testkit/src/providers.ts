/**
 * Simulators of SMS providers, Telegram's bot API and a receiver of webhooks. Each checks our request as the provider's documents say, with
 * code of its own, and can fail, delay, fall silent or answer nonsense.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  body: string
}

/** What happens to a request whose signature is right. `silent`: taken, never answered. `cut`: taken, connection closed. */
export type Fate = 'ok' | 'silent' | 'cut' | { status: number; body: string } | { code: string }

export interface Simulator {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** Requests whose signature was right. */
  taken: Received[]
  /** Why requests were refused. */
  refused: string[]
  /** Fates of the next requests, in order; then `ok`. */
  fates: Fate[]
  /** Settles with the number of requests taken, once it is reached. */
  reached(count: number): Promise<void>
  close(): Promise<void>
}

interface Verdict {
  /** Null: the request is right. */
  wrong: string | null
  /** Answer by code: the provider's own form. */
  answer: (code: string) => { status: number; body: string }
}

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')
const mac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text, 'utf8').digest()
const equal = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

const read = async (request: IncomingMessage): Promise<Received> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const url = new URL(request.url ?? '/', 'http://simulator')
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks).toString(),
  }
}

export const simulate = async (judge: (request: Received, raw: string) => Verdict): Promise<Simulator> => {
  const taken: Received[] = []
  const refused: string[] = []
  const fates: Fate[] = []
  const waiting: { count: number; done: () => void }[] = []
  const server = createServer(async (request, response) => {
    const received = await read(request)
    const verdict = judge(received, request.url ?? '/')
    if (verdict.wrong !== null) {
      refused.push(verdict.wrong)
      const { status, body } = verdict.answer('SignatureDoesNotMatch')
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      return
    }
    taken.push(received)
    for (const one of waiting.filter(({ count }) => taken.length >= count)) one.done()
    const fate = fates.shift() ?? 'ok'
    if (fate === 'silent') return
    if (fate === 'cut') return void request.socket.destroy()
    const answer =
      typeof fate === 'object' && 'status' in fate ? fate : verdict.answer(fate === 'ok' ? 'ok' : fate.code)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    refused,
    fates,
    reached: (count) =>
      taken.length >= count ? Promise.resolve() : new Promise((done) => void waiting.push({ count, done })),
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** What a signed call must be: the operation and its parameters. */
export interface CloudCall {
  action: string
  version: string
  params: readonly string[]
}

const SMS_TENCENT: CloudCall & { service: string } = {
  service: 'sms',
  action: 'SendSms',
  version: '2021-01-11',
  params: ['SmsSdkAppId', 'SignName', 'TemplateId', 'TemplateParamSet', 'PhoneNumberSet'],
}

/** Tencent Cloud API 3.0, SendSms 2021-01-11, "Signature v3" (TC3-HMAC-SHA256). Clock skew of more than 5 minutes is refused. */
export const tencentSimulator = (secretId: string, secretKey: string): Promise<Simulator> =>
  simulate((request) => ({
    wrong: tc3Wrong(request, { id: secretId, key: secretKey }, SMS_TENCENT),
    answer: (code) => {
      const Response =
        code === 'SignatureDoesNotMatch'
          ? { Error: { Code: 'AuthFailure.SignatureFailure', Message: `wrong signature ${secretKey}` }, RequestId: 'r' }
          : {
              SendStatusSet: [
                {
                  Code: code === 'ok' ? 'Ok' : code,
                  Message: code === 'ok' ? 'send success' : 'refused',
                  SerialNo: '5000:1',
                },
              ],
              RequestId: 'r',
            }
      return { status: 200, body: JSON.stringify({ Response }) }
    },
  }))

/** Why a request is not one that Tencent Cloud takes; null: it is right. */
export const tc3Wrong = (
  { method, path, headers, body }: Received,
  { id, key }: { id: string; key: string },
  call: CloudCall & { service: string },
): string | null => {
  const given =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/(\w+)\/tc3_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    )
  if (!given) return 'the form of Authorization'
  const [, credential, date = '', service = '', names = '', signature = ''] = given
  const timestamp = headers['x-tc-timestamp'] ?? ''
  if (credential !== id) return 'the secret id'
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return 'the time'
  if (new Date(Number(timestamp) * 1000).toISOString().slice(0, 10) !== date) return 'the date'
  if (!names.split(';').includes('host') || !names.split(';').includes('content-type')) return 'the signed headers'
  // Of these two the value is signed in lower case.
  const lines = names.split(';').map((name) => `${name}:${(headers[name] ?? '').trim().toLowerCase()}\n`)
  const canonical = `${method}\n${path}\n\n${lines.join('')}\n${names}\n${sha256(body)}`
  const text = `TC3-HMAC-SHA256\n${timestamp}\n${date}/${service}/tc3_request\n${sha256(canonical)}`
  const signing = mac(mac(mac(`TC3${key}`, date), service), 'tc3_request')
  if (!equal(mac(signing, text).toString('hex'), signature)) return 'the signature'
  if (service !== call.service || headers['x-tc-action'] !== call.action || headers['x-tc-version'] !== call.version)
    return 'the action'
  const form = JSON.parse(body) as Record<string, unknown>
  const missing = call.params.find((name) => !(name in form))
  return missing === undefined ? null : `parameter ${missing}`
}

const SMS_ALIYUN: CloudCall = {
  action: 'SendSms',
  version: '2017-05-25',
  params: ['PhoneNumbers', 'SignName', 'TemplateCode', 'TemplateParam'],
}

/** Alibaba Cloud SendSms 2017-05-25, "V3 request structure and signature" (ACS3-HMAC-SHA256). A nonce is taken once, a date within 15 minutes. */
export const aliyunSimulator = (keyId: string, keySecret: string): Promise<Simulator> => {
  const nonces = new Set<string>()
  return simulate((request, raw) => ({
    wrong: acs3Wrong(request, raw, { id: keyId, secret: keySecret, nonces }, SMS_ALIYUN),
    answer: (code) =>
      code === 'SignatureDoesNotMatch'
        ? { status: 400, body: JSON.stringify({ Code: code, Message: `wrong signature ${keySecret}`, RequestId: 'r' }) }
        : {
            status: 200,
            body: JSON.stringify({ Code: code === 'ok' ? 'OK' : code, Message: code, BizId: '9006^0', RequestId: 'r' }),
          },
  }))
}

/** Why a request is not one that Alibaba Cloud takes; null: it is right. Parameters stand in the address, or in a form that is signed as such. */
export const acs3Wrong = (
  { method, path, headers, body, query }: Received,
  raw: string,
  { id, secret, nonces }: { id: string; secret: string; nonces: Set<string> },
  call: CloudCall,
): string | null => {
  const given = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([a-z0-9;-]+),Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? '',
  )
  if (!given) return 'the form of Authorization'
  const [, credential, names = '', signature = ''] = given
  if (credential !== id) return 'the key id'
  if (headers['x-acs-content-sha256'] !== sha256(body)) return 'the hash of the body'
  const date = headers['x-acs-date'] ?? ''
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(date) || Math.abs(Date.now() - Date.parse(date)) > 900_000)
    return 'the date'
  const nonce = headers['x-acs-signature-nonce'] ?? ''
  if (nonce === '' || nonces.has(nonce)) return 'the nonce'
  nonces.add(nonce)
  const lines = names.split(';').map((name) => `${name}:${(headers[name] ?? '').trim()}\n`)
  const sorted = (raw.split('?')[1] ?? '').split('&').sort().join('&')
  const canonical = `${method}\n${path}\n${sorted}\n${lines.join('')}\n${names}\n${sha256(body)}`
  if (!equal(mac(secret, `ACS3-HMAC-SHA256\n${sha256(canonical)}`).toString('hex'), signature)) return 'the signature'
  if (headers['x-acs-action'] !== call.action || headers['x-acs-version'] !== call.version) return 'the action'
  if (body !== '' && !names.split(';').includes('content-type')) return 'the signed headers'
  const form = { ...query, ...Object.fromEntries(new URLSearchParams(body)) }
  const missing = call.params.find((name) => !(name in form))
  return missing === undefined ? null : `parameter ${missing}`
}

/** SMS Bao: GET with the MD5 of the password or key; the answer is a number as text. */
export const smsBaoSimulator = (username: string, apiKey: string): Promise<Simulator> =>
  simulate(({ query }) => {
    const right = query.u === username && query.p === createHash('md5').update(apiKey).digest('hex')
    const complete = /^\d+$/.test(query.m ?? '') && (query.c ?? '') !== ''
    return {
      wrong: right ? (complete ? null : 'the parameters') : 'the password',
      answer: (code) => ({ status: 200, body: code === 'ok' ? '0' : code === 'SignatureDoesNotMatch' ? '30' : code }),
    }
  })

/** Telegram's bot API: sendMessage. */
export const telegramSimulator = (token: string): Promise<Simulator> =>
  simulate(({ method, path, body }) => {
    const form = body === '' ? {} : (JSON.parse(body) as { chat_id?: unknown; text?: unknown })
    const right = method === 'POST' && path === `/bot${token}/sendMessage`
    return {
      wrong: right ? (form.chat_id && form.text ? null : 'the message') : 'the token',
      answer: (code) => {
        if (code === 'ok') return { status: 200, body: '{"ok":true,"result":{"message_id":7}}' }
        const error_code = code === 'SignatureDoesNotMatch' ? 401 : Number(code)
        return {
          status: error_code,
          body: JSON.stringify({ ok: false, error_code, description: `refused for ${token}` }),
        }
      },
    }
  })

/** A receiver that checks our signature and drops repetitions. */
export const webhookReceiver = (secret: string): Promise<Simulator & { deliveries: Set<string> }> => {
  const deliveries = new Set<string>()
  const started = simulate(({ headers, body }) => {
    const [, time = '', hex = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['x-tidegate-signature'] ?? '') ?? []
    const right =
      equal(mac(secret, `${time}.${body}`).toString('hex'), hex) && Math.abs(Date.now() / 1000 - Number(time)) < 300
    if (right) deliveries.add(headers['x-tidegate-delivery'] ?? '')
    return {
      wrong: right ? null : 'the signature',
      answer: (code) => ({ status: code === 'ok' ? 200 : 401, body: code }),
    }
  })
  return started.then((one) => ({ ...one, deliveries }))
}
