/** Reads of the customer's own account. */
import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export const PROFILE = ['profile'] as const
export type Profile = OutputOf<'profile.info'>['data']

export const useProfile = () =>
  useQuery({
    queryKey: PROFILE,
    queryFn: ({ signal }) => call('profile.info', {}, { signal }),
    select: (answer) => answer.data,
  })
