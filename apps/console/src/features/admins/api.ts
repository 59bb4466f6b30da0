/** Reads of administrators. */
import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export const ADMINS = ['admin'] as const
export type Options = OutputOf<'admin.options'>['data']

/** Roles and screens that an account can be given or denied. */
export const useOptions = () =>
  useQuery({
    queryKey: [...ADMINS, 'options'],
    queryFn: ({ signal }) => call('admin.options', {}, { signal }),
    select: (answer) => answer.data,
  })
