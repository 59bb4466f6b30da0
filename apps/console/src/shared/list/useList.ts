/** A list: what it asks for stands in the address, its rows come page by page. */
import { useQuery } from '@tanstack/react-query'
import type { CallOf, ListId, ListRow, OutputOf } from '@tidegate/contract/operations/index'
import type { ListQuery } from '@tidegate/ui/DataTable.tsx'
import { call } from '../api/call.ts'
import { useListQuery } from '../useListQuery.ts'

interface Options<Id extends ListId> {
  /** Filters of the address, as the operation takes them. */
  filters?: (search: URLSearchParams) => Partial<CallOf<Id>>
  /** Milliseconds between two reads, as the rows at hand ask for. */
  every?: number | false | ((rows: readonly ListRow<Id>[] | undefined) => number | false)
}

type Change = Record<string, string | number | undefined>

export interface List<Row, Answer = unknown> {
  operation: ListId
  query: ListQuery & { key?: string | undefined }
  search: URLSearchParams
  set: (change: Change) => void
  /** Search and filters without the page: what an export of the whole list is asked with. */
  filters: Record<string, unknown>
  /** Whether the list may be empty only because of what is looked for. */
  filtered: boolean
  rows: readonly Row[] | undefined
  /** What came beside the rows. */
  answer: Answer | undefined
  total: number
  loading: boolean
  /** The rows are those of another page or filter. */
  stale: boolean
  error: unknown
  refetch: () => void
}

interface Rows<Row> {
  data: { list: Row[]; totalCount: number }
}
/** What every list's answer has; the compiler does not see it through the table of operations. */
const rowsOf = <Id extends ListId>(answer: OutputOf<Id>) => (answer as unknown as Rows<ListRow<Id>>).data

const given = (filters: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== ''))

/** `key`: under which the queries of this list and its relatives stand. */
export const useList = <Id extends ListId>(
  id: Id,
  key: readonly string[],
  { filters = () => ({}), every = false }: Options<Id> = {},
): List<ListRow<Id>, OutputOf<Id>> => {
  const { query, search, set } = useListQuery()
  const own = given(filters(search))
  const input = { ...query, ...own } as unknown as CallOf<Id>
  const asking = useQuery({
    queryKey: [...key, 'list', input],
    queryFn: ({ signal }) => call(id, input, { signal }),
    placeholderData: (old) => old,
    refetchInterval: ({ state }) =>
      typeof every === 'function' ? every(state.data && rowsOf<Id>(state.data).list) : every,
  })
  const data = asking.data && rowsOf<Id>(asking.data)
  const { page: _page, limit: _limit, ...asked } = query
  return {
    operation: id,
    query,
    search,
    set,
    filters: given({ ...asked, ...own }),
    filtered: query.key !== undefined || Object.keys(own).length > 0,
    rows: data?.list,
    answer: asking.data,
    total: data?.totalCount ?? 0,
    loading: asking.isPending,
    stale: asking.isPlaceholderData,
    error: asking.error,
    refetch: () => void asking.refetch(),
  }
}
