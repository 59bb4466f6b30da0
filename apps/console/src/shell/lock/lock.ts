/**
 * Whether this console is locked, in every one of its tabs and over reloads: local storage holds a mark that fits the present login's token only,
 * so that a new login is never locked by an old one's mark. What the lock protects against: docs/decisions/0022.
 */
import { create } from 'zustand'
import { readText, storageKey, writeText } from '../../shared/storage.ts'
import { token } from '../../shared/token.ts'

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Tells logins apart without giving the token away (FNV-1a, 32 bits). */
const markOf = (text: string): string => {
  let hash = FNV_OFFSET
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME)
  return (hash >>> 0).toString(16)
}

const isLocked = (): boolean => {
  const held = token()
  return held !== null && readText('lock') === markOf(held)
}

export const useLocked = create<{ locked: boolean }>(() => ({ locked: isLocked() }))

/** Looks again: after a login, or when another tab has locked or unlocked. */
export const lookAtLock = (): void => useLocked.setState({ locked: isLocked() })

export const lock = (): void => {
  const held = token()
  if (held !== null) writeText('lock', markOf(held))
  lookAtLock()
}

/** The password was right, or the login has ended. */
export const unlock = (): void => {
  writeText('lock', null)
  lookAtLock()
}

/** Follows the other tabs; answers how to stop. */
export const followLock = (): (() => void) => {
  const onStorage = (event: StorageEvent) => {
    if (event.key === storageKey('lock')) lookAtLock()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
