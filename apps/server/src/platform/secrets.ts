/** Envelope encryption of secrets at rest: AES-256-GCM, key id, AAD that binds a value to its row and field. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

export interface Secrets {
  /** `v1.<key id>.<base64url(nonce|tag|ciphertext)>` */
  seal(plain: string, aad: string): string
  /** Throws when the key is another, the value was changed or belongs elsewhere. */
  open(sealed: string, aad: string): string
  /** A key for another purpose (e.g. hashing of tokens), derived by HKDF. */
  derive(purpose: string): Buffer
}

const NONCE = 12
const TAG = 16

/** `master`: 32 bytes. */
export const createSecrets = (master: Buffer): Secrets => {
  if (master.length !== 32) throw new Error('the master key must have 32 bytes')
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, '', `tidegate ${purpose}`, 32))
  const key = derive('seal')
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return {
    derive,
    seal: (plain, aad) => {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(aad))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `v1.${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open: (sealed, aad) => {
      const [version, id, text = ''] = sealed.split('.')
      if (version !== 'v1' || id !== keyId) throw new Error('the value was sealed with another key')
      const raw = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, raw.subarray(0, NONCE)).setAAD(Buffer.from(aad))
      decipher.setAuthTag(raw.subarray(NONCE, NONCE + TAG))
      return Buffer.concat([decipher.update(raw.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
    },
  }
}
