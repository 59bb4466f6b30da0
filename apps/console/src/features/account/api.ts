/** Reads of the customer's own account. */
import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export const PROFILE = ['profile'] as const
export type Profile = OutputOf<'profile.info'>['data']

export const PREFERENCES = ['notices', 'own'] as const
export type Preferences = OutputOf<'notify.preference'>['data']

export const usePreferences = () =>
  useQuery({
    queryKey: PREFERENCES,
    queryFn: ({ signal }) => call('notify.preference', {}, { signal }),
    select: (answer) => answer.data,
  })

export const useProfile = () =>
  useQuery({
    queryKey: PROFILE,
    queryFn: ({ signal }) => call('profile.info', {}, { signal }),
    select: (answer) => answer.data,
  })
