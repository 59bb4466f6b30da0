/** The content hash of a resource: the same on both sides of the node protocol, so that a body can be checked where it arrives. */
import { createHash } from 'node:crypto'

/**
 * JSON with the members of objects in the order of their names (UTF-16 code units) and no white space; members that are undefined
 * are left out, as JSON.stringify does. Throws a TypeError on what JSON cannot say at the top (undefined, functions).
 */
export const canonicalJson = (value: unknown): string => {
  const text = write(value)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}

/** Written out by hand: an object rebuilt in order would still put integer-like names first. */
const write = (value: unknown): string | undefined => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? 'null').join(',')}]`
  const members: string[] = []
  for (const name of Object.keys(value).sort()) {
    const text = write((value as Record<string, unknown>)[name])
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

/** Lower-case hex SHA-256 of a text (UTF-8) or of bytes. */
export const sha256Hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** sha256 of the canonical JSON, lower-case hex. */
export const hashOf = (value: unknown): string => sha256Hex(canonicalJson(value))

/** Hash of a resource as it travels: '' when removed (body null). */
export const resourceHash = (body: unknown): string => (body === null ? '' : hashOf(body))
