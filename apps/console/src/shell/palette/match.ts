/** What of a list fits the words typed, in which order, and which letters of it to mark. Pure. */

/** The words of what was typed, in small letters. */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

export interface Findable {
  title: string
  /** Other words by which it is found, such as its title in the other language. */
  also: string
  /** Where it belongs. */
  note: string
}

const STARTS = 0
const STARTS_WORD = 1
const INSIDE = 2
const ELSEWHERE = 3

const place = (text: string, word: string): number => {
  const at = text.toLowerCase().indexOf(word)
  if (at < 0) return ELSEWHERE
  if (at === 0) return STARTS
  return /[\s/·-]/.test(text[at - 1] ?? '') ? STARTS_WORD : INSIDE
}

/** How well it fits, smaller is better; undefined when some word is nowhere in it. */
const fit = (one: Findable, words: readonly string[]): number | undefined => {
  const all = `${one.title}\n${one.also}\n${one.note}`.toLowerCase()
  if (!words.every((word) => all.includes(word))) return undefined
  return Math.min(...words.map((word) => Math.min(place(one.title, word), place(one.also, word))))
}

/** Those that have every word, the best first; equals keep their order. Without words: all as they are. */
export const ranked = <One extends Findable>(list: readonly One[], words: readonly string[]): One[] => {
  if (words.length === 0) return [...list]
  return list
    .flatMap((one) => {
      const score = fit(one, words)
      return score === undefined ? [] : [{ one, score }]
    })
    .sort((a, b) => a.score - b.score)
    .map(({ one }) => one)
}

export interface Piece {
  /** Where it begins in the text. */
  at: number
  text: string
  hit: boolean
}

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A text cut where the words begin and end. */
export const pieces = (text: string, words: readonly string[]): Piece[] => {
  if (words.length === 0) return [{ at: 0, text, hit: false }]
  // Longer words first, so that a short one does not cut them.
  const any = [...words].sort((a, b) => b.length - a.length).map(escaped)
  let at = 0
  return text.split(new RegExp(`(${any.join('|')})`, 'iu')).flatMap((part, i) => {
    const piece = { at, text: part, hit: i % 2 === 1 }
    at += part.length
    return part === '' ? [] : [piece]
  })
}
