/** The login's token: one place that holds, stores and drops it. */
import { actingToken, setActing } from './acting.ts'
import { readText, storageKey, writeText } from './storage.ts'

let held: string | null = actingToken() ?? readText('token')
/** The login ended while it was in use, and the person has not said yet that they know. */
let ended = false
const onExpired = new Set<() => void>()

export const token = (): string | null => held

/** Whether the page may stay: there is a login, or the dialog for one that ended is up. */
export const mayStay = (): boolean => held !== null || ended

export const setToken = (value: string | null): void => {
  held = value
  ended = false
  if (actingToken() !== null) {
    // The end of a login in another's place leaves the person's own alone.
    setActing(null)
    if (value === null) return
  }
  writeText('token', value)
}

/** This tab goes on as somebody else; other tabs stay as they are. */
export const actAs = (login: Parameters<typeof setActing>[0] & object): void => {
  setActing(login)
  held = login.token
}

/** What runs once when the server no longer knows the login. */
export const whenExpired = (listener: () => void): (() => void) => {
  onExpired.add(listener)
  return () => onExpired.delete(listener)
}

/** The server refused this token. Many calls may say so: the first one counts, and none that was sent with an older token. */
export const sessionExpired = (sent: string): void => {
  if (held !== sent) return
  setToken(null)
  ended = true
  for (const listener of onExpired) listener()
}

/** Tells when another tab of this console logs in or out, or clears what the browser keeps. */
export const watchOtherTabs = (listener: (change: 'replaced' | 'removed') => void): (() => void) => {
  const onStorage = (event: StorageEvent) => {
    if (actingToken() !== null) return
    const cleared = event.key === null
    if (!cleared && event.key !== storageKey('token')) return
    const now = cleared ? null : event.newValue
    if (now !== held) listener(now === null ? 'removed' : 'replaced')
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
