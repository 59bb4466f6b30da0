/** Debug mode: this browser's own switch. It changes what is shown and which base path of the same origin is called; the server knows nothing of it. */
import { create } from 'zustand'
import { readJson, writeText } from './storage.ts'

export interface Debug {
  on: boolean
  /** Base path of the API in debug mode, '' = the console's own. */
  base: string
}

const OFF: Debug = { on: false, base: '' }

/** A base path on this origin, with a slash at both ends; null for what could lead elsewhere. '' stays ''. */
export const acceptBase = (text: string): string | null => {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const path = trimmed.endsWith('/') ? trimmed : `${trimmed}/`
  return /^\/(?:[\w.-]+\/)*$/.test(path) && !/\/\.{1,2}\//.test(path) ? path : null
}

const accept = (value: unknown): Debug => {
  if (typeof value !== 'object' || value === null) return OFF
  const { on, base } = value as Record<string, unknown>
  return { on: on === true, base: (typeof base === 'string' ? acceptBase(base) : null) ?? '' }
}

interface Store extends Debug {
  set: (part: Partial<Debug>) => void
}

export const useDebug = create<Store>((set, get) => ({
  ...readJson('debug', accept, OFF),
  set: (part) => {
    set(part)
    const { on, base } = get()
    writeText('debug', on || base !== '' ? JSON.stringify({ on, base }) : null)
  },
}))
