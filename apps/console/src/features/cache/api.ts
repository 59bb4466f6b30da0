/** Reads of cache cleanup. */
import { useQuery } from '@tanstack/react-query'
import type { ListRow, OutputOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export const PURGES = ['purge'] as const
export type Task = OutputOf<'cache.task'>['data']
export type PurgeRow = ListRow<'cache.list'>

const POLL_MS = 400
export const LIST_POLL_MS = 3000

/** Follows a task until no node is left to answer. */
export const useTask = (id: number | null) =>
  useQuery({
    queryKey: [...PURGES, 'task', id],
    queryFn: ({ signal }) => call('cache.task', { id: id ?? 0 }, { signal }),
    select: (answer) => answer.data,
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.data.state === 'pending' ? POLL_MS : false),
  })
