/** The profile menu's short cuts of each console (specification, section 2, "Profile dropdown shortcuts"), and the way to one's own password. */
import type { ConsoleId } from '@tidegate/contract/enums'
import type { MenuItem } from '@tidegate/contract/operations/common'
import { chainTo } from './menu.ts'

export const SHORTCUTS: Readonly<Record<ConsoleId, readonly string[]>> = {
  admin: ['/account/users/users', '/cdn/product/list', '/cdn/finance/recharge'],
  user: ['/cdn/account/info', '/cdn/plan/purchase', '/cdn/finance/recharge'],
  'dns-admin': ['/home/auth', '/account/users/users', '/dns/plan/list', '/dns/finance/recharge'],
  'dns-user': ['/dns/account/info', '/dns/plan/purchase', '/dns/finance/recharge', '/dns/account/apikey'],
}

/** One's own password; the customers' consoles have it on the page of their account. */
export const OWN_PASSWORD = '/account/users/password'

/** Those of the paths that exist and that the person may open, with their menu entries. */
export const reachable = (menu: readonly MenuItem[], paths: readonly string[]): MenuItem[] =>
  paths.flatMap((path) => chainTo(menu, path).slice(-1))
