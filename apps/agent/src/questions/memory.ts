/** What the engine's shared memory holds, as people may see it: secrets masked, bytes that are no text as hexadecimal digits. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { EngineDict } from '@tidegate/contract/node/engine'
import {
  MEMORY_LIST_CHARS,
  MEMORY_VALUE_CHARS,
  type MemoryEntry,
  type QuestionAnswer,
  type QuestionInput,
} from '@tidegate/contract/node/questions'
import type { EngineAdmin } from '../engine/admin.ts'
import { Fault } from './answer.ts'

const NONCE = 12
const TAG = 16
const MASK = '***'

/** Members of objects and parameters of addresses whose names say that they are secret; a text that is cut off ends anywhere. */
const SECRET_NAME = '[^"]*(?:secret|token|passw|authorization|credential|privatekey|keypem|apikey|signature)[^"]*'
const MEMBER = new RegExp(`("${SECRET_NAME}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`, 'gi')
const PARAMETER = /([?&][^=&\s"]*(?:secret|token|passw|auth|sign|key)[^=&\s"]*=)[^&\s"]+/gi

/** The text with what may be a secret in it masked. */
export const masked = (text: string): string => text.replace(MEMBER, `$1"${MASK}"`).replace(PARAMETER, `$1${MASK}`)

/** Control characters other than white space: such bytes are no text, whatever they decode to. */
const isText = (text: string) => {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 127) return false
  }
  return true
}

/** The bytes as text; null when they are none. When they are `cut` off, the last character may be. */
function textOf(bytes: Buffer, cut = false): string | null {
  for (let end = bytes.length; end >= Math.max(0, bytes.length - (cut ? 3 : 0)); end--) {
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end))
      return isText(text) ? text : null
    } catch {
      // One byte less, then: it may be the beginning of a character.
    }
  }
  return null
}

const keyText = (bytes: Buffer) => masked(textOf(bytes) ?? `0x${bytes.toString('hex')}`)

/** Keys as opaque words: what is masked in a key must not stand in the word for it. */
function createSeal() {
  const key = randomBytes(32)
  return {
    seal: (bytes: Buffer): string => {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(bytes), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    /** Throws the fault `gone` for a word of an earlier run. */
    open: (word: string): Buffer => {
      const bytes = Buffer.from(word, 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE))
        decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
        return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()])
      } catch {
        throw new Fault('gone')
      }
    },
  }
}

type Shown = Pick<MemoryEntry, 'form' | 'value' | 'cut'>

function shownOf({ type, value, size }: EngineDict['entries'][number], most: number): Shown {
  const bytes = Buffer.from(value, 'base64')
  if (type === 'number' || type === 'boolean') return { form: type, value: bytes.toString(), cut: false }
  const text = textOf(bytes, bytes.length < size)
  const shown = text === null ? bytes.toString('hex') : masked(text)
  return {
    form: text === null ? 'binary' : 'text',
    value: shown.slice(0, most),
    cut: shown.length > most || bytes.length < size,
  }
}

/** Reads one page of a dict, or one entry of it. */
export function memoryReader(admin: Pick<EngineAdmin, 'dict'>) {
  const { seal, open } = createSeal()
  const present = (entry: EngineDict['entries'][number], most: number): MemoryEntry => {
    const key = Buffer.from(entry.key, 'base64')
    const shown: Shown = entry.secret ? { form: 'binary', value: '', cut: false } : shownOf(entry, most)
    return { id: seal(key), key: keyText(key), ...shown, masked: entry.secret, size: entry.size, ttl: entry.ttl }
  }
  return async (input: QuestionInput<'memory'>): Promise<QuestionAnswer<'memory'>> => {
    const one = input.entry !== ''
    const found = await admin.dict({
      name: input.dict,
      ...(one
        ? { key: open(input.entry) }
        : {
            limit: input.limit,
            prefix: Buffer.from(input.prefix),
            ...(input.after !== '' && { after: open(input.after) }),
          }),
    })
    if (one && found.entries.length === 0) throw new Fault('gone')
    return {
      list: found.entries.map((entry) => present(entry, one ? MEMORY_VALUE_CHARS : MEMORY_LIST_CHARS)),
      next: found.next === '' ? '' : seal(Buffer.from(found.next, 'base64')),
      capacity: found.capacity,
      free: found.free,
    }
  }
}
