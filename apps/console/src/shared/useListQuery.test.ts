// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { changed, listState } from './useListQuery.ts'

describe('a list’s state in the address', () => {
  it('has 20 rows a page of the sizes allowed, whatever the address says', () => {
    expect(listState(new URLSearchParams('limit=17&page=-3'))).toMatchObject({ page: 1, limit: 20 })
    expect(listState(new URLSearchParams('limit=50&page=3'))).toMatchObject({ page: 3, limit: 50 })
  })
  it('goes back to page 1 with another filter and leaves defaults out', () => {
    const search = new URLSearchParams('page=4&key=a')
    expect(changed(search, { key: 'b' }).toString()).toBe('key=b')
    expect(changed(search, { page: 5 }).toString()).toBe('page=5&key=a')
    expect(changed(search, { key: '' }).toString()).toBe('')
  })
})
