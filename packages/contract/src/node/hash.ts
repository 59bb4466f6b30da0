/** The content hash of a resource: the same on both sides of the node protocol, so that a body can be checked where it arrives. */
import { createHash } from 'node:crypto'

/**
 * JSON with the members of objects in the order of their names (UTF-16 code units) and no white space; members that are undefined
 * are left out, as JSON.stringify does. Throws a TypeError on what JSON cannot say at the top (undefined, functions).
 */
export const canonicalJson = (value: unknown): string => {
  const text = JSON.stringify(value, sortMembers)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}

const sortMembers = (_key: string, value: unknown): unknown => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return Object.fromEntries(entries)
}

/** sha256 of the canonical JSON, lower-case hex. */
export const hashOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex')
