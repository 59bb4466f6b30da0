/** What was typed and not sent yet, kept in this browser until it is. */
import { useEffect, useState } from 'react'
import { readJson, writeText } from '../../shared/storage.ts'

export interface Draft {
  text: string
  img: string[]
}

const NONE: Draft = { text: '', img: [] }

const accept = (value: unknown): Draft => {
  const { text, img } = value as Draft
  return typeof text === 'string' && Array.isArray(img) ? { text, img: img.filter((i) => typeof i === 'string') } : NONE
}

/** `name`: what it is a draft of, e.g. `order 12`. */
export const useDraft = (name: string): [Draft, (change: Partial<Draft>) => void, () => void] => {
  const key = `draft:${name}`
  const [draft, setDraft] = useState(() => readJson(key, accept, NONE))
  useEffect(() => {
    writeText(key, draft.text === '' && draft.img.length === 0 ? null : JSON.stringify(draft))
  }, [key, draft])
  return [draft, (change) => setDraft((old) => ({ ...old, ...change })), () => setDraft(NONE)]
}
