/** What makes a text one of two languages, for tests of whole tables. */
import { expect } from 'vitest'

const CHINESE = /[\u3400-\u9fff\uf900-\ufaff]/
const places = (text: string) => [...text.matchAll(/\{\{?\s*(\w+)/g)].map(([, name]) => name).sort()

/** Both texts are there, the Chinese one in Chinese (but for `same`: words that are the same everywhere), the English one without, with the same places to fill. */
export const expectBoth = ({ zh, en }: { zh: string; en: string }, same?: RegExp): void => {
  expect([zh.trim(), en.trim()]).not.toContain('')
  expect([en, CHINESE.test(en)]).toEqual([en, false])
  // Chinese fonts draw curly quotation marks as wide as a character of theirs.
  expect(en).not.toMatch(/[‘’“”]/)
  if (same?.test(zh) !== true) expect([zh, CHINESE.test(zh)]).toEqual([zh, true])
  expect(places(zh)).toEqual(places(en))
}
