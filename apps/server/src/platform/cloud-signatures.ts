/** Request signatures of Tencent Cloud and Alibaba Cloud, as pure functions. */
import { createHash, createHmac } from 'node:crypto'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

export interface Tc3Request {
  secretId: string
  secretKey: string
  service: string
  host: string
  action: string
  body: string
  /** Unix seconds. */
  timestamp: number
}

/** `Authorization` by TC3-HMAC-SHA256 (Tencent Cloud API, "Signature v3"), for a POST of JSON to `/`. */
export const tc3Authorization = (r: Tc3Request): string => {
  const signed = 'content-type;host;x-tc-action'
  const headers = `content-type:application/json; charset=utf-8\nhost:${r.host}\nx-tc-action:${r.action.toLowerCase()}\n`
  const canonical = ['POST', '/', '', headers, signed, sha256(r.body)].join('\n')
  const date = new Date(r.timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${r.service}/tc3_request`
  const text = ['TC3-HMAC-SHA256', r.timestamp, scope, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(`TC3${r.secretKey}`, date), r.service), 'tc3_request')
  const signature = hmac(key, text).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${r.secretId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`
}

/** RFC 3986, 2.3: encodes all but unreserved characters. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** Parameters sorted by name, encoded, as they stand in the address and in the signed text. */
export const canonicalQuery = (params: Readonly<Record<string, string>>): string =>
  Object.keys(params)
    .sort()
    .map((name) => `${encode(name)}=${encode(params[name] ?? '')}`)
    .join('&')

export interface Acs3Request {
  keyId: string
  keySecret: string
  host: string
  action: string
  version: string
  query: Readonly<Record<string, string>>
  body: string
  /** ISO 8601 in UTC, to the second. */
  date: string
  nonce: string
  /** Of a body; signed with the rest. */
  contentType?: string
}

/** Headers with `Authorization` by ACS3-HMAC-SHA256 (Alibaba Cloud, "V3 request structure and signature"), for a POST to `/`. */
export const acs3Headers = (r: Acs3Request): Record<string, string> => {
  const headers: Record<string, string> = {
    ...(r.contentType !== undefined && { 'content-type': r.contentType }),
    host: r.host,
    'x-acs-action': r.action,
    'x-acs-content-sha256': sha256(r.body),
    'x-acs-date': r.date,
    'x-acs-signature-nonce': r.nonce,
    'x-acs-version': r.version,
  }
  const names = Object.keys(headers).sort()
  const signed = names.join(';')
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('')
  const canonical = ['POST', '/', canonicalQuery(r.query), lines, signed, sha256(r.body)].join('\n')
  const signature = hmac(r.keySecret, `ACS3-HMAC-SHA256\n${sha256(canonical)}`).toString('hex')
  return {
    ...headers,
    authorization: `ACS3-HMAC-SHA256 Credential=${r.keyId},SignedHeaders=${signed},Signature=${signature}`,
  }
}
