/** Reads and writes of nodes. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'

export const NODES = ['node'] as const

export const useGroups = (enabled: boolean) =>
  useQuery({
    queryKey: ['group', 'all'],
    queryFn: ({ signal }) => call('group.list', { limit: 200 }, { signal }),
    select: (answer) => answer.data.list,
    enabled,
  })
