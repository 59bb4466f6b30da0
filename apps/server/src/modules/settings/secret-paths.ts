/** Secrets inside a config value: sealed at rest, masked on the way out, put back where the mask comes in. Pure but for the sealing given. */
import { SECRET_MASK } from '@tidegate/contract/config/record'
import type { Secrets } from '../../platform/secrets.ts'

type Change = (text: string, at: readonly string[]) => string

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const changeAt = (value: unknown, path: readonly string[], change: Change, at: readonly string[]): unknown => {
  const [head, ...rest] = path
  if (head === undefined) return typeof value === 'string' && value !== '' ? change(value, at) : value
  if (head === '*')
    return Array.isArray(value) ? value.map((v, i) => changeAt(v, rest, change, [...at, String(i)])) : value
  if (!isRecord(value) || !Object.hasOwn(value, head)) return value
  return { ...value, [head]: changeAt(value[head], rest, change, [...at, head]) }
}

/** A copy whose texts at the paths went through `change`; empty texts and what is no text stay. */
const changeSecrets = (value: unknown, paths: readonly string[], change: (path: string) => Change): unknown =>
  paths.reduce((so_far: unknown, path) => changeAt(so_far, path.split('.'), change(path), []), value)

const aad = (key: string, path: string) => `config ${key} ${path}`

export const sealValue = (secrets: Secrets, key: string, paths: readonly string[], value: unknown): unknown =>
  changeSecrets(value, paths, (path) => (text) => secrets.seal(text, aad(key, path)))

/** Throws where a text was not sealed for this record and member. */
export const openValue = (secrets: Secrets, key: string, paths: readonly string[], value: unknown): unknown =>
  changeSecrets(value, paths, (path) => (text) => secrets.open(text, aad(key, path)))

export const maskValue = (paths: readonly string[], value: unknown): unknown =>
  changeSecrets(value, paths, () => () => SECRET_MASK)

/** The member of a list that is meant: by its `id` where it has one, else by its place. */
const member = (from: unknown, list: unknown, index: string): unknown => {
  if (!Array.isArray(list)) return undefined
  const own = isRecord(from) ? from.id : undefined
  return own === undefined ? list[Number(index)] : list.find((one) => isRecord(one) && one.id === own)
}

/** What stands in `old` at a place of `given`. */
const counterpart = (given: unknown, old: unknown, at: readonly string[]): unknown => {
  const [head, ...rest] = at
  if (head === undefined) return old
  if (Array.isArray(given)) return counterpart(given[Number(head)], member(given[Number(head)], old, head), rest)
  return isRecord(given) && isRecord(old) ? counterpart(given[head], old[head], rest) : undefined
}

/** Where the mask stands for a secret that is stored: dotted paths. `old` with opened secrets. */
export const maskedAgain = (paths: readonly string[], given: unknown, old: unknown): string[] => {
  const found: string[] = []
  changeSecrets(given, paths, () => (text, at) => {
    if (text === SECRET_MASK && counterpart(given, old, at)) found.push(at.join('.'))
    return text
  })
  return found
}

const textAt = (value: unknown, path: string): string => {
  const at = path.split('.').reduce<unknown>((from, name) => (isRecord(from) ? from[name] : undefined), value)
  return at === undefined || at === null ? '' : String(at).trim()
}

/** Whether one of the members is another one than before. */
export const differsAt = (paths: readonly string[], given: unknown, old: unknown): boolean =>
  paths.some((path) => textAt(given, path) !== textAt(old, path))

/** Puts the old secret where the mask came back; empty where there was none. `old` with opened secrets. */
export const keepMasked = (paths: readonly string[], given: unknown, old: unknown): unknown =>
  changeSecrets(given, paths, () => (text, at) => {
    if (text !== SECRET_MASK) return text
    const kept = counterpart(given, old, at)
    return typeof kept === 'string' ? kept : ''
  })
