import { describe, expect, it } from 'vitest'
import { acceptColumns, arranged, dropped, moved, NO_PREFS, ordered, toggled } from './columns.ts'

const columns = [{ key: 'a' }, { key: 'b' }, { key: 'c' }, { key: 'actions', fixed: 'right' as const }]
const keys = (list: readonly { key: string }[]) => list.map((c) => c.key).join(' ')

describe('the columns of a table', () => {
  it('stand as they were made until somebody moves them', () => {
    expect(keys(arranged(columns, NO_PREFS))).toBe('a b c actions')
    const once = moved(columns, NO_PREFS, 'a', 1)
    expect(keys(arranged(columns, once))).toBe('b a c actions')
    expect(moved(columns, once, 'b', -1)).toBe(once)
    expect(keys(arranged(columns, moved(columns, once, 'c', -1)))).toBe('b c a actions')
    expect(keys(arranged(columns, dropped(columns, NO_PREFS, 'c', 'a')))).toBe('c a b actions')
    expect(dropped(columns, NO_PREFS, 'c', 'nothing')).toBe(NO_PREFS)
  })
  it('can be hidden, but for the last one and the actions', () => {
    let prefs = toggled(columns, NO_PREFS, 'b')
    expect(keys(arranged(columns, prefs))).toBe('a c actions')
    prefs = toggled(columns, toggled(columns, prefs, 'a'), 'c')
    expect(keys(arranged(columns, prefs))).toBe('c actions')
    expect(keys(arranged(columns, toggled(columns, prefs, 'b')))).toBe('b c actions')
    expect(keys(arranged(columns, { ...NO_PREFS, hidden: ['a', 'b', 'c', 'actions'] }))).toBe('a b c actions')
  })
  it('stay in place at either side when they are pinned, and can be let go', () => {
    const pinned = arranged(columns, { ...NO_PREFS, pins: { c: 'left', a: 'right', actions: 'none' } })
    expect(pinned).toEqual([
      { key: 'c', fixed: 'left' },
      { key: 'b' },
      { key: 'actions' },
      { key: 'a', fixed: 'right' },
    ])
  })
  it('of a later release stand behind the one they were made after', () => {
    const prefs = { ...NO_PREFS, order: ['c', 'a', 'gone'] }
    expect(keys(ordered(columns, prefs))).toBe('c a b actions')
  })
  it('are read from whatever was stored', () => {
    for (const odd of [null, 7, 'x', [], { order: 'a', hidden: 3, pins: null }])
      expect(acceptColumns(odd)).toEqual(NO_PREFS)
    expect(acceptColumns({ order: ['a', 'a', 1], hidden: ['b'], pins: { a: 'left', b: 'up' } })).toEqual({
      order: ['a'],
      hidden: ['b'],
      pins: { a: 'left' },
    })
  })
})
