/**
 * Content hash of a resource's body: sha256 over its canonical JSON. Server and agent must agree to the byte, so the rules are
 * few: keys sorted by UTF-16 code unit, no white space, members whose value is undefined left out (as JSON.stringify does).
 */
import { createHash } from 'node:crypto'

/** Canonical JSON of a plain JSON value. Throws TypeError on what JSON cannot carry (functions, bigint, NaN, infinities). */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('canonical JSON has no NaN or infinity')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalJson(item === undefined ? null : item)).join(',')}]`
  }
  if (typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
    return `{${members.join(',')}}`
  }
  throw new TypeError(`canonical JSON cannot carry a ${typeof value}`)
}

/** Lower-case hex SHA-256 of a text (UTF-8) or of bytes. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

/** Hash of a resource as it travels: '' when removed (body null). */
export function resourceHash(body: unknown): string {
  return body === null ? '' : sha256Hex(canonicalJson(body))
}

/** Hash of a body that is there. */
export const hashOf = (body: unknown): string => sha256Hex(canonicalJson(body))
