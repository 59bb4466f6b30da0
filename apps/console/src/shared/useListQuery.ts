/** A list's page, size, sort and filters, kept in the address so that a reload or a link shows the same. */
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '@tidegate/contract/limits'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { usePrefs } from './prefs.ts'

export interface ListState {
  page: number
  limit: number
  sidx?: string | undefined
  order?: 'asc' | 'desc' | undefined
  key?: string | undefined
}
type Change = Record<string, string | number | undefined>

const whole = (text: string | null, fallback: number) => {
  const n = Number(text)
  return text !== null && Number.isInteger(n) && n > 0 ? n : fallback
}

/** Search parameters -> list state; what is not understood takes its default, for the rows of a page what the person last chose (`size`). */
export const listState = (search: URLSearchParams, size: number = DEFAULT_PAGE_SIZE): ListState => {
  const limit = whole(search.get('limit'), size)
  const order = search.get('order')
  const sidx = search.get('sidx') ?? undefined
  return {
    page: whole(search.get('page'), 1),
    limit: PAGE_SIZES.find((n) => n === limit) ?? size,
    ...(sidx === undefined || (order !== 'asc' && order !== 'desc') ? {} : { sidx, order }),
    key: search.get('key') ?? undefined,
  }
}

/**
 * The same search with a change; the first page is left out of the address, a size chosen never: the link is to show the same to everybody. Another
 * filter begins at page 1.
 */
export const changed = (search: URLSearchParams, change: Change): URLSearchParams => {
  const next = new URLSearchParams(search)
  const full: Change = 'page' in change ? change : { page: 1, ...change }
  for (const [name, value] of Object.entries(full)) {
    if (value === undefined || value === '' || (name === 'page' && value === 1)) next.delete(name)
    else next.set(name, String(value))
  }
  return next
}

export const useListQuery = () => {
  const [search, setSearch] = useSearchParams()
  const size = usePrefs((prefs) => prefs.table.pageSize)
  const query = useMemo(() => listState(search, size), [search, size])
  const set = useCallback((change: Change) => setSearch((old) => changed(old, change), { replace: true }), [setSearch])
  return { query, search, set }
}
