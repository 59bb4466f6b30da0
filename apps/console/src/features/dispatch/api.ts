/** Reads of what the monitors say. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'

export const STABLE = ['dispatch', 'stable'] as const

const EVERY_MS = 10_000

export const useNodeHistory = (id: number) =>
  useQuery({
    queryKey: [...STABLE, 'history', id],
    queryFn: ({ signal }) => call('dispatch.history', { id }, { signal }),
    select: (answer) => answer.data,
    refetchInterval: EVERY_MS,
  })
