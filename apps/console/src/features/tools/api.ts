/** Reads of the tools' screens. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { NodeDict } from '@tidegate/contract/node/questions'
import { call } from '../../shared/api/call.ts'

export const MEMORY = ['tools', 'memory'] as const

export const useMemoryNodes = () =>
  useQuery({
    queryKey: ['tools', 'memoryNodes'],
    queryFn: ({ signal }) => call('tools.memoryNodes', {}, { signal }),
    select: (answer) => answer.data,
  })

export interface Looked {
  nodeId: number
  dict: NodeDict
  prefix: string
}

/** Pages of a node's memory. Each look is recorded, so nothing is asked again by itself. */
export const useMemory = (looked: Looked | undefined) =>
  useInfiniteQuery({
    queryKey: [...MEMORY, looked],
    queryFn: async ({ pageParam, signal }) => {
      if (looked === undefined) throw new Error('nothing to look into')
      return (await call('tools.memory', { ...looked, after: pageParam }, { signal })).data
    },
    enabled: looked !== undefined,
    initialPageParam: '',
    getNextPageParam: (page) => (page.next === '' ? undefined : page.next),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const useEntry = (looked: Looked, entry: string) =>
  useQuery({
    queryKey: [...MEMORY, looked, entry],
    queryFn: ({ signal }) => call('tools.memory', { ...looked, entry }, { signal }),
    select: (answer) => answer.data.list[0],
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const VARIABLES = ['tools', 'variables'] as const
/** While a change is on its way to nodes, and else. */
const WAITING_MS = 2_000
const IDLE_MS = 30_000

export const useVariables = () =>
  useQuery({
    queryKey: [...VARIABLES, 'list'],
    queryFn: ({ signal }) => call('variable.list', {}, { signal }),
    select: (answer) => answer.data,
    refetchInterval: ({ state }) =>
      state.data?.data.list.some(({ applied }) => applied !== null && applied.done < applied.nodes)
        ? WAITING_MS
        : IDLE_MS,
  })
