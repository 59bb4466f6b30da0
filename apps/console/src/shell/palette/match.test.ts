import { describe, expect, it } from 'vitest'
import { pieces, ranked, wordsOf } from './match.ts'

const one = (title: string, also = '', note = '') => ({ title, also, note })
const titles = (list: { title: string }[]) => list.map(({ title }) => title)

describe('what fits the words typed', () => {
  const list = [
    one('Purge cache', '刷新缓存'),
    one('Message cache'),
    one('Cache cleanup', '', 'Sites'),
    one('Sites', '网站'),
  ]
  it('has every word somewhere; what begins with it stands first', () => {
    expect(titles(ranked(list, wordsOf('  CACHE ')))).toEqual(['Cache cleanup', 'Purge cache', 'Message cache'])
    expect(titles(ranked(list, wordsOf('clean site')))).toEqual(['Cache cleanup'])
    expect(ranked(list, wordsOf('cache nowhere'))).toEqual([])
  })
  it('is found by its title in the other language too', () => {
    expect(titles(ranked(list, wordsOf('缓存')))).toEqual(['Purge cache'])
    expect(titles(ranked(list, wordsOf('网')))).toEqual(['Sites'])
  })
  it('is everything, as it is, when nothing is typed', () => {
    expect(ranked(list, [])).toEqual(list)
  })
})

describe('the letters to mark', () => {
  it('are those of the words, whatever their case, and signs are only signs', () => {
    const marked = (text: string, typed: string) =>
      pieces(text, wordsOf(typed)).map(({ text: part, hit }) => (hit ? `[${part}]` : part))
    expect(marked('Purge Cache cache', 'cac')).toEqual(['Purge ', '[Cac]', 'he ', '[cac]', 'he'])
    expect(marked('a.b.example', '.b a')).toEqual(['[a]', '[.b]', '.ex', '[a]', 'mple'])
    expect(marked('刷新缓存', '缓存')).toEqual(['刷新', '[缓存]'])
    expect(pieces('same', [])).toEqual([{ at: 0, text: 'same', hit: false }])
  })
})
