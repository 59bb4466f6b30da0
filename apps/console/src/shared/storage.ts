/** Local storage under the console's prefix: `admin:token`, `admin:prefs`. Closed storage (private windows) reads as empty. */
import { here } from './console.ts'

export const storageKey = (name: string) => `${here.id}:${name}`

export const readText = (name: string): string | null => {
  try {
    return window.localStorage.getItem(storageKey(name))
  } catch {
    return null
  }
}

/** null removes. */
export const writeText = (name: string, value: string | null): void => {
  try {
    if (value === null) window.localStorage.removeItem(storageKey(name))
    else window.localStorage.setItem(storageKey(name), value)
  } catch {
    // A browser that keeps nothing still works; it forgets.
  }
}

/** The stored value, or the fallback when there is none or it is not JSON. */
export const readJson = <T>(name: string, accept: (value: unknown) => T, fallback: T): T => {
  const text = readText(name)
  if (text === null) return fallback
  try {
    return accept(JSON.parse(text))
  } catch {
    return fallback
  }
}
