/** Reads of cache cleanup. */
import { useQuery } from '@tanstack/react-query'
import type { CallOf, OutputOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export const PURGES = ['purge'] as const
export type Task = OutputOf<'cache.task'>['data']
export type PurgeRow = OutputOf<'cache.list'>['data']['list'][number]

const POLL_MS = 400
const LIST_POLL_MS = 3000

/** Follows a task until no node is left to answer. */
export const useTask = (id: number | null) =>
  useQuery({
    queryKey: [...PURGES, 'task', id],
    queryFn: ({ signal }) => call('cache.task', { id: id ?? 0 }, { signal }),
    select: (answer) => answer.data,
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.data.state === 'pending' ? POLL_MS : false),
  })

export const usePurges = (input: CallOf<'cache.list'>) =>
  useQuery({
    queryKey: [...PURGES, 'list', input],
    queryFn: ({ signal }) => call('cache.list', input, { signal }),
    select: (answer) => answer.data,
    placeholderData: (old) => old,
    refetchInterval: ({ state }) => (state.data?.data.list.some((p) => p.state === 'pending') ? LIST_POLL_MS : false),
  })
