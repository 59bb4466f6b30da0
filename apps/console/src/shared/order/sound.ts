/** Whether the browser may play the notification sound, and who of several tabs plays it. */
import { SOUND_CHOICE } from '@tidegate/contract/enums'
import { create } from 'zustand'
import { readText, storageKey, writeText } from '../storage.ts'

const CHOICE = 'sound'
const RUNG = 'sound:last'
const SOUND = new URL('./ring.wav', import.meta.url).href

/** 2 allowed, 1 refused, null: not asked yet. */
type Choice = (typeof SOUND_CHOICE)[keyof typeof SOUND_CHOICE] | null

const stored = (): Choice => {
  const text = readText(CHOICE)
  return Object.values(SOUND_CHOICE).find((n) => String(n) === text) ?? null
}

interface Sound {
  choice: Choice
  choose: (choice: Exclude<Choice, null>) => void
  /** Reads what another tab has chosen. */
  look: () => void
}

export const useSound = create<Sound>((set) => ({
  choice: stored(),
  choose: (choice) => {
    writeText(CHOICE, String(choice))
    set({ choice })
  },
  look: () => set({ choice: stored() }),
}))

/** Follows the choice of other tabs; the result ends it. */
export const followSound = (): (() => void) => {
  const hear = (event: StorageEvent) => {
    if (event.key === storageKey(CHOICE)) useSound.getState().look()
  }
  window.addEventListener('storage', hear)
  return () => window.removeEventListener('storage', hear)
}

/** Rings once. A browser that lets no sound out before the page is touched stays silent. */
export const play = async (): Promise<void> => {
  try {
    await new Audio(SOUND).play()
  } catch {
    // Only the sound is missing: badge and list say the same.
  }
}

/** Whether the message is newer than any that a tab of this console has told; from then on it is told. The first look tells nothing. */
const isNews = (lastId: number): boolean => {
  const told = readText(RUNG)
  if (told === null || Number(told) < lastId) writeText(RUNG, String(lastId))
  return told !== null && Number(told) < lastId
}

/** The same, for one tab only where the browser can hold tabs apart (on HTTPS and on localhost). */
export const claimNews = async (lastId: number): Promise<boolean> => {
  const locks: LockManager | undefined = navigator.locks
  return locks === undefined ? isNews(lastId) : await locks.request(storageKey(RUNG), async () => isNews(lastId))
}
