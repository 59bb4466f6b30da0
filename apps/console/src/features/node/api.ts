/** Reads and writes of nodes. */
import { useQuery } from '@tanstack/react-query'
import type { NodeState } from '@tidegate/contract/enums'
import type { CallOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export const NODES = ['node'] as const
const REFRESH_MS = 5000

export const useNodes = (input: CallOf<'node.list'> & { state?: NodeState | undefined }) =>
  useQuery({
    queryKey: [...NODES, 'list', input],
    queryFn: ({ signal }) => call('node.list', input, { signal }),
    select: (answer) => answer.data,
    refetchInterval: REFRESH_MS,
    placeholderData: (old) => old,
  })

export const useGroups = (enabled: boolean) =>
  useQuery({
    queryKey: ['group', 'all'],
    queryFn: ({ signal }) => call('group.list', { limit: 200 }, { signal }),
    select: (answer) => answer.data.list,
    enabled,
  })
