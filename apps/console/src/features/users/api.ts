/** Reads of customers. */
import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export const USERS = ['customer'] as const
export type Screens = OutputOf<'customer.options'>['data']['screens']

export const useUser = (id: number | null) =>
  useQuery({
    queryKey: [...USERS, 'info', id],
    queryFn: ({ signal }) => call('customer.info', { id: id ?? 0 }, { signal }),
    select: (answer) => answer.data,
    enabled: id !== null,
  })

/** Screens that an account can be denied. */
export const useScreens = () =>
  useQuery({
    queryKey: [...USERS, 'options'],
    queryFn: ({ signal }) => call('customer.options', {}, { signal }),
    select: (answer) => answer.data.screens,
  })

/** The customer's sites, or what happened to the account, for the tabs of its details. */
export const useUserSites = (userId: number, page: number) =>
  useQuery({
    queryKey: [...USERS, 'sites', userId, page],
    queryFn: ({ signal }) => call('site.list', { userId, page, limit: 10 }, { signal }),
    select: (answer) => answer.data,
    placeholderData: (old) => old,
  })

export const useUserLog = (userId: number, logins: boolean, page: number) =>
  useQuery({
    queryKey: [...USERS, 'log', userId, logins, page],
    queryFn: ({ signal }) =>
      call('userLog.list', { userId, page, limit: 10, ...(logins ? { logins } : {}) }, { signal }),
    select: (answer) => answer.data,
    placeholderData: (old) => old,
  })
