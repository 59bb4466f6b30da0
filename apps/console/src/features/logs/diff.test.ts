import { describe, expect, it } from 'vitest'
import { changesOf } from './diff.ts'

describe('what changed', () => {
  it('names each field with its value before and after', () => {
    const before = { name: 'a', cache: { ttl: 60, rules: [{ path: '/x' }] }, gone: true }
    const after = { name: 'b', cache: { ttl: 60, rules: [{ path: '/x' }, { path: '/y' }] }, tags: [] }
    expect(changesOf(before, after)).toEqual([
      { path: 'name', kind: 'changed', before: 'a', after: 'b' },
      { path: 'cache.ttl', kind: 'same', before: '60', after: '60' },
      { path: 'cache.rules.0.path', kind: 'same', before: '/x', after: '/x' },
      { path: 'cache.rules.1.path', kind: 'added', before: undefined, after: '/y' },
      { path: 'tags', kind: 'added', before: undefined, after: '[]' },
      { path: 'gone', kind: 'removed', before: 'true', after: undefined },
    ])
  })
  it('shows what was made or deleted as a whole', () => {
    expect(changesOf(null, { name: 'new' })).toEqual([{ path: 'name', kind: 'added', before: undefined, after: 'new' }])
    expect(changesOf({ name: 'old' }, undefined)[0]).toMatchObject({ kind: 'removed', before: 'old' })
    expect(changesOf(null, null)).toEqual([])
  })
})
