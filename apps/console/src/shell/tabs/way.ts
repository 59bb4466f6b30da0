/** Where an address leads. Pure. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { inAppPath } from '../../shared/paths.ts'
import { chainTo, directoryTo, firstPath, trimmed } from '../menu.ts'
import { tabKey } from './tabs.ts'

export type Way =
  | { kind: 'page'; key: string; path: string }
  /** To another address; `renew`: the page there is to be built anew. */
  | { kind: 'redirect'; to: string; renew?: string }
  | { kind: 'unknown' }

const HOME = new Set(['/console', '/404'])
const REDIRECT = '/redirect'

/** `menu` is what the person may open. */
export const wayOf = (menu: readonly MenuItem[], pathname: string, search: string): Way => {
  const path = trimmed(pathname)
  if (HOME.has(path)) return { kind: 'redirect', to: firstPath(menu) ?? '/login' }
  if (path.startsWith(`${REDIRECT}/`)) {
    const target = inAppPath(path.slice(REDIRECT.length))
    if (target === null) return { kind: 'unknown' }
    const way = wayOf(menu, target, search)
    return { kind: 'redirect', to: target + search, ...(way.kind === 'page' ? { renew: way.key } : {}) }
  }
  const entry = chainTo(menu, path).at(-1)
  if (entry !== undefined) return { kind: 'page', path, key: tabKey(path, search, entry.meta.hidden === true) }
  const to = directoryTo(menu, path)
  return to === null ? { kind: 'unknown' } : { kind: 'redirect', to }
}
