/** Carries out the addresses that lead to another one. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { useContext, useEffect } from 'react'
import { AddressContext } from '../../shared/address.ts'
import { useTabs } from './tabs.ts'
import { wayOf } from './way.ts'

/**
 * Follows the address itself and not what React draws: of two that come close upon each other React may draw only the second, and an element that
 * redirects, being the same for both, would stay without effect.
 */
export const useRedirects = (menu: readonly MenuItem[]): void => {
  const address = useContext(AddressContext)
  useEffect(() => {
    if (address === null) return
    const follow = () => {
      const { pathname, search } = address.now().location
      const way = wayOf(menu, pathname, search)
      if (way.kind !== 'redirect') return
      if (way.renew !== undefined) useTabs.getState().renew(way.renew)
      address.navigator.replace(way.to)
    }
    follow()
    return address.subscribe(follow)
  }, [address, menu])
}
