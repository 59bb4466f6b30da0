/** A login in another's place lives in this tab alone: the person's own logins, in this console and others, stay as they are. */
import type { Acting } from '@tidegate/contract/operations/acting'
import { storageKey } from './storage.ts'

interface Held {
  token: string
  acting: Acting
}

const KEY = storageKey('acting')

const read = (): Held | null => {
  try {
    const text = window.sessionStorage.getItem(KEY)
    return text === null ? null : (JSON.parse(text) as Held)
  } catch {
    return null
  }
}

let held = read()

/** Whose place this tab's login is held in; null: it is the person's own. */
export const actingNow = (): Acting | null => held?.acting ?? null
export const actingToken = (): string | null => held?.token ?? null

/** null ends it here. */
export const setActing = (value: Held | null): void => {
  held = value
  try {
    if (value === null) window.sessionStorage.removeItem(KEY)
    else window.sessionStorage.setItem(KEY, JSON.stringify(value))
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}
