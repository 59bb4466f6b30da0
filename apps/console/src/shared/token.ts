/** The login's token: one place that holds, stores and drops it. */
import { readText, storageKey, writeText } from './storage.ts'

let held: string | null = readText('token')
const onExpired = new Set<() => void>()

export const token = (): string | null => held

export const setToken = (value: string | null): void => {
  held = value
  writeText('token', value)
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
  for (const listener of onExpired) listener()
}

/** Tells when another tab of this console logs in or out, or clears what the browser keeps. */
export const watchOtherTabs = (listener: (change: 'replaced' | 'removed') => void): (() => void) => {
  const onStorage = (event: StorageEvent) => {
    const cleared = event.key === null
    if (!cleared && event.key !== storageKey('token')) return
    const now = cleared ? null : event.newValue
    if (now !== held) listener(now === null ? 'removed' : 'replaced')
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
