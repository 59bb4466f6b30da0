/** What a person last chose in the palette, on this device; each login has its own. */
import { readJson, writeText } from '../../shared/storage.ts'
import { useSession } from '../session.ts'

export interface Recent {
  path: string
  title: string
  icon: string
}

const MAX = 6

const nameOf = () => `recent:${useSession.getState().user?.userId ?? 0}`

const isRecent = (value: unknown): value is Recent =>
  typeof value === 'object' &&
  value !== null &&
  ['path', 'title', 'icon'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string')

/** The last one first. */
export const recents = (): Recent[] =>
  readJson(nameOf(), (value) => (Array.isArray(value) ? value.filter(isRecent).slice(0, MAX) : []), [])

export const remember = (one: Recent): void =>
  writeText(nameOf(), JSON.stringify([one, ...recents().filter(({ path }) => path !== one.path)].slice(0, MAX)))
