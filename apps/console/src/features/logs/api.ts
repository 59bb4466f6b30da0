/** Reads of the audit log. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'

export const LOGS = ['audit'] as const

export const useEntry = (id: number) =>
  useQuery({
    queryKey: [...LOGS, 'info', id],
    queryFn: ({ signal }) => call('audit.info', { id }, { signal }),
    select: (answer) => answer.data,
  })

export const useLogFilters = () =>
  useQuery({
    queryKey: [...LOGS, 'filters'],
    queryFn: ({ signal }) => call('audit.filters', {}, { signal }),
    select: (answer) => answer.data,
  })
