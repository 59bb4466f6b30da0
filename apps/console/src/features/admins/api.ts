/** Reads of administrators. */
import { useQuery } from '@tanstack/react-query'
import type { CallOf, OutputOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export const ADMINS = ['admin'] as const
export type Options = OutputOf<'admin.options'>['data']

export const useAdmins = (input: CallOf<'admin.list'>) =>
  useQuery({
    queryKey: [...ADMINS, 'list', input],
    queryFn: ({ signal }) => call('admin.list', input, { signal }),
    select: (answer) => answer.data,
    placeholderData: (old) => old,
  })

/** Roles and screens that an account can be given or denied. */
export const useOptions = () =>
  useQuery({
    queryKey: [...ADMINS, 'options'],
    queryFn: ({ signal }) => call('admin.options', {}, { signal }),
    select: (answer) => answer.data,
  })
