/** Signed messages of ACME (RFC 8555, 6.2; RFC 7515): ES256 with the account's key, HS256 for the binding to an outside account. */
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'

interface Jwk {
  crv: string
  kty: string
  x: string
  y: string
}

export interface AccountKey {
  key: KeyObject
  jwk: Jwk
  /** RFC 7638; the second half of every key authorization. */
  thumbprint: string
}

export interface Jws {
  protected: string
  payload: string
  signature: string
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A new EC P-256 key, PKCS#8 PEM. */
export const newKeyPem = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()

export const readAccountKey = (pem: string): AccountKey => {
  const key = createPrivateKey(pem)
  const { crv = '', kty = '', x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' })
  const jwk = { crv, kty, x, y }
  return { key, jwk, thumbprint: createHash('sha256').update(JSON.stringify(jwk)).digest('base64url') }
}

/** `payload` null: a POST that only reads (RFC 8555, 6.3). */
export const signJws = (account: AccountKey, header: Record<string, unknown>, payload: unknown): Jws => {
  const head = encode({ alg: 'ES256', ...header })
  const body = payload === null ? '' : encode(payload)
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key: account.key, dsaEncoding: 'ieee-p1363' })
  return { protected: head, payload: body, signature: signature.toString('base64url') }
}

/** Binds the account to one at the authority (RFC 8555, 7.3.4). `hmacKey`: base64url, as the authority gave it. */
export const bindAccount = (account: AccountKey, url: string, eab: { kid: string; hmacKey: string }): Jws => {
  const head = encode({ alg: 'HS256', kid: eab.kid, url })
  const body = encode(account.jwk)
  const signature = createHmac('sha256', Buffer.from(eab.hmacKey, 'base64url')).update(`${head}.${body}`)
  return { protected: head, payload: body, signature: signature.digest('base64url') }
}
