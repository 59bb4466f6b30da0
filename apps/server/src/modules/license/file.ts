/**
 * License files: JSON text, signed with Ed25519 (RFC 8032) by a supplier. The signed bytes are the text itself, so nothing has to be brought into a
 * canonical form. Pure but for the keys given.
 *
 *   {"tidegate": "license", "payload": "{\"id\": …}", "signature": "base64"}
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { LICENSE_STATES } from '@tidegate/contract/enums'
import { z } from 'zod'

export type LicenseState = (typeof LICENSE_STATES)[number]

/** Signed before the payload, so that a signature for something else is none for a license. */
const CONTEXT = 'tidegate-license-1\n'
const DAY_MS = 86_400_000

const line = (max: number) => z.string().trim().min(1).max(max)
const limit = z.int().min(1).optional()

/** What a supplier signs. */
export const licensePayload = z.strictObject({
  /** The supplier's number for it. */
  id: line(64),
  holder: line(200),
  supplier: line(200),
  /** Where the holder asks for help. */
  contact: z.string().trim().max(200).default(''),
  issued: z.iso.date(),
  /** Last day of the term (UTC); absent: without end. */
  until: z.iso.date().optional(),
  /** Id of the only installation that it is for; absent: any. */
  installation: z.uuid().optional(),
  /** What was agreed; absent: no limit. */
  limits: z.strictObject({ nodes: limit, sites: limit, customers: limit }).default({}),
})
export type LicensePayload = z.infer<typeof licensePayload>

const envelope = z.strictObject({
  tidegate: z.literal('license'),
  payload: z.string(),
  signature: z.base64(),
})

/** `foreign`: not a license file at all. */
export type Read = { payload: LicensePayload } | { fault: 'foreign' | 'forged' }

const json = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const signedBytes = (payload: string) => Buffer.from(CONTEXT + payload, 'utf8')

/** A public key as it stands in the settings. */
export const supplierKey = (base64: string): KeyObject =>
  createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })

/** Beginning of the key's SHA-256: what people compare. */
export const keyName = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16)

/** Reads a file. Its payload is looked at only after a key has vouched for it. */
export const readLicense = (text: string, keys: readonly KeyObject[]): Read => {
  const outer = envelope.safeParse(json(text))
  if (!outer.success) return { fault: 'foreign' }
  const { payload, signature } = outer.data
  const bytes = signedBytes(payload)
  const vouched = keys.some((key) => verify(null, bytes, key, Buffer.from(signature, 'base64')))
  if (!vouched) return { fault: 'forged' }
  const inner = licensePayload.safeParse(json(payload))
  return inner.success ? { payload: inner.data } : { fault: 'foreign' }
}

/** Makes a file. Throws when the payload is not in the right form. */
export const signLicense = (payload: unknown, privateKey: KeyObject): string => {
  const text = JSON.stringify(licensePayload.parse(payload), null, 1)
  const signature = sign(null, signedBytes(text), privateKey).toString('base64')
  return `${JSON.stringify({ tidegate: 'license', payload: text, signature }, null, 2)}\n`
}

/** Days left at `now` (Unix ms), the last one too; 0 after it; null = without end. */
export const daysLeft = ({ until }: Pick<LicensePayload, 'until'>, now: number): number | null =>
  until === undefined ? null : Math.max(0, Math.ceil((Date.parse(until) + DAY_MS - now) / DAY_MS))

/** What a signed file is good for here. */
export const stateOf = (
  payload: Pick<LicensePayload, 'until' | 'installation'>,
  installation: string,
  now: number,
): 'valid' | 'expired' | 'elsewhere' => {
  if (payload.installation !== undefined && payload.installation !== installation) return 'elsewhere'
  return daysLeft(payload, now) === 0 ? 'expired' : 'valid'
}
