/** What of a caller's input PostgreSQL cannot store. */

/** PostgreSQL stores neither NUL nor a lone surrogate. */
const UNSTORABLE = /\0|\p{Surrogate}/u

/** No operation takes more levels; without a bound, the walk itself would end in an overflow of the stack. */
const MAX_DEPTH = 32

/** Path of the first text that cannot be stored, or of what is nested too deeply; null when all is well. Bytes, and what is still on its way, are no text. */
export const unstorable = (value: unknown, path: string[] = []): string[] | null => {
  if (typeof value === 'string') return UNSTORABLE.test(value) ? path : null
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || Symbol.asyncIterator in value)
    return null
  if (path.length >= MAX_DEPTH) return path.slice(0, 1)
  for (const [key, member] of Object.entries(value)) {
    if (UNSTORABLE.test(key)) return path
    const found = unstorable(member, [...path, key])
    if (found) return found
  }
  return null
}
