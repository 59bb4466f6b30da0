/** What changed between two states, field by field. */

export interface Change {
  /** Dotted path of the field; empty when the whole is no object. */
  path: string
  kind: 'added' | 'removed' | 'changed' | 'same'
  /** undefined: was not there. */
  before: string | undefined
  after: string | undefined
}

const branches = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

/** Every leaf with its path; empty objects and lists are leaves. */
const leaves = (value: unknown, path: string, into: Map<string, string>): Map<string, string> => {
  if (value === null && path === '') return into
  if (!branches(value)) return into.set(path, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  for (const [name, child] of Object.entries(value)) leaves(child, path === '' ? name : `${path}.${name}`, into)
  return into
}

const kindOf = (before: string | undefined, after: string | undefined): Change['kind'] => {
  if (before === undefined) return 'added'
  if (after === undefined) return 'removed'
  return before === after ? 'same' : 'changed'
}

/** Fields in the order of the later state, those that are gone last. */
export const changesOf = (before: unknown, after: unknown): Change[] => {
  const old = leaves(before ?? null, '', new Map())
  const now = leaves(after ?? null, '', new Map())
  return [...new Set([...now.keys(), ...old.keys()])].map((path) => {
    const [a, b] = [old.get(path), now.get(path)]
    return { path, before: a, after: b, kind: kindOf(a, b) }
  })
}
