/** Reads of the audit log. */
import { useQuery } from '@tanstack/react-query'
import type { CallOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

const LOGS = ['audit'] as const

export const useAdminLog = (input: CallOf<'audit.list'>) =>
  useQuery({
    queryKey: [...LOGS, 'list', input],
    queryFn: ({ signal }) => call('audit.list', input, { signal }),
    select: (answer) => answer.data,
    placeholderData: (old) => old,
  })

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
