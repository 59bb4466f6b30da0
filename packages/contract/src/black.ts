/**
 * Names of the DNS blacklist: how a line is read, in which order names stand, and what decides on a name that is asked for. Pure.
 *
 * An entry has a scope: `tree` blocks the name and everything below it, `name` only the name itself. A line `*.example.com` is
 * `example.com` with the scope `tree`; a line without `*.` has the scope that is chosen for the whole text. An exception always
 * stands for the name and everything below it, and wins over every entry.
 */
import { z } from 'zod'
import type { FieldErrorKey } from './errors.ts'
import { fail, isIP, normalizeDomain } from './validators.ts'

export const BLACK_SCOPES = ['tree', 'name'] as const
export type BlackScope = (typeof BLACK_SCOPES)[number]

/** Characters of a name in its text form (RFC 1035, 2.3.4: 255 octets with the lengths of its labels and its end). */
const MAX_NAME = 253

export interface BlackName {
  /** Lower case, punycode, no final dot. */
  name: string
  /** null: whatever is chosen for the text. */
  scope: BlackScope | null
}

export interface BlackLine extends BlackName {
  /** Counts from 1. */
  line: number
}

export interface BlackFault {
  line: number
  key: Extract<FieldErrorKey, 'line_domain' | 'line_duplicate'>
  params: Record<string, string | number>
}

/** One name as a person writes it; null when it is none. */
export const readBlackName = (text: string): BlackName | null => {
  const name = normalizeDomain(text)
  if (name === null) return null
  const wildcard = name.startsWith('*.')
  const bare = wildcard ? name.slice(2) : name
  return bare.length > MAX_NAME ? null : { name: bare, scope: wildcard ? 'tree' : null }
}

/** What hosts files say of the machine itself. */
const OWN_OF_HOSTS = /^(?:[^.]+|.*\.localdomain)$/i

/**
 * One line of a list: a name, or a line of a hosts file (an address, then names). Text behind `#` is a comment. Gives the text that is no
 * name as `wrong`. A hosts file's names of the machine itself (localhost, 0.0.0.0) are left out.
 */
export const readBlackLine = (line: string): { names: BlackName[]; wrong?: string } => {
  const words = line
    .replace(/^\u{feff}/u, '')
    .replace(/(^|\s)#[\s\S]*$/, '')
    .trim()
    .split(/\s+/)
  const [first = '', ...rest] = words
  if (first === '') return { names: [] }
  const hosts = rest.length > 0 && isIP(first.replace(/%.*$/, ''))
  if (!hosts && rest.length > 0) return { names: [], wrong: words.join(' ') }
  const names: BlackName[] = []
  for (const word of hosts ? rest : [first]) {
    if (hosts && (OWN_OF_HOSTS.test(word) || isIP(word))) continue
    const found = readBlackName(word)
    if (found === null) return { names, wrong: word }
    names.push(found)
  }
  return { names }
}

/** A whole text: its names with their lines, and the lines that are wrong or say a name again. */
export const readBlackText = (text: string): { entries: BlackLine[]; faults: BlackFault[] } => {
  const firstOf = new Map<string, number>()
  const entries: BlackLine[] = []
  const faults: BlackFault[] = []
  for (const [i, each] of text.split(/\r?\n/).entries()) {
    const line = i + 1
    const { names, wrong } = readBlackLine(each)
    if (wrong !== undefined) faults.push({ line, key: 'line_domain', params: { line, value: shortened(wrong) } })
    for (const { name, scope } of names) {
      const first = firstOf.get(name)
      if (first !== undefined) faults.push({ line, key: 'line_duplicate', params: { line, first, value: name } })
      else entries.push({ line, name, scope })
      firstOf.set(name, first ?? line)
    }
  }
  return { entries, faults }
}

const SHOWN = 80
/** What is wrong, as an error shows it. */
export const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)

/** Faults that one answer names; the rest shows when these are put right. */
export const MAX_SHOWN_FAULTS = 20

/** A text of names, one a line, each once; gives the names with their lines. */
export const blackLines = (max: number) =>
  z
    .string({ error: 'required' })
    .max(max * 260, { error: 'too_long' })
    .transform((text, ctx): BlackLine[] => {
      const { entries, faults } = readBlackText(text)
      for (const { key, params } of faults.slice(0, MAX_SHOWN_FAULTS)) fail(ctx, key, params)
      if (entries.length > max) fail(ctx, 'too_many_items', { max })
      return entries
    })

/** A name's labels from the top, each with a dot: `com.example.www.`. In the order of these keys a name comes right before all names below it. */
export const blackKey = (name: string): string => `${name.split('.').reverse().join('.')}.`

/** The name itself, then those above it, up to the top: a.example.com, example.com, com. */
export const namesUpward = (name: string): string[] => {
  const labels = name.split('.')
  return labels.map((_, i) => labels.slice(i).join('.'))
}

export type BlackDecision = { by: 'exception' | 'entry'; name: string }

/** What decides on a name that is asked for: the exception or the entry, by its own name; null: nothing. `scopeOf` gives the scope of an entry that counts. */
export const blackDecision = (
  asked: string,
  scopeOf: (name: string) => BlackScope | undefined,
  isException: (name: string) => boolean,
): BlackDecision | null => {
  const names = namesUpward(asked)
  const exception = names.find(isException)
  if (exception !== undefined) return { by: 'exception', name: exception }
  const entry = names.find((name) => scopeOf(name) === 'tree' || (name === asked && scopeOf(name) !== undefined))
  return entry === undefined ? null : { by: 'entry', name: entry }
}
