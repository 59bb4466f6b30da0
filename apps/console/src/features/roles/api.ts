/** Reads of roles and permissions. */
import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export const ROLES = ['role'] as const
export type PermMenu = OutputOf<'menu.allPerms'>['menuList']

export const useAllPerms = () =>
  useQuery({
    queryKey: [...ROLES, 'permissions'],
    queryFn: ({ signal }) => call('menu.allPerms', {}, { signal }),
    select: (answer) => answer.menuList,
  })
