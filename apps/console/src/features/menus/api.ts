/** Reads of the menu as it is edited. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'

export const MENUS = ['menu'] as const

export const useMenus = () =>
  useQuery({
    queryKey: [...MENUS, 'list'],
    queryFn: ({ signal }) => call('menu.list', {}, { signal }),
    select: (answer) => answer.menuList,
  })
