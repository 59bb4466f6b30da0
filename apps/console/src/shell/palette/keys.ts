/** The keyboard's short cuts: which there are, and when a key is one. */
import type { MenuItem } from '@tidegate/contract/operations/common'
import { reachable } from '../shortcuts.ts'

/** g and then the letter goes to the first of the paths that the person may open. */
const GO: readonly { key: string; paths: readonly string[] }[] = [
  { key: 'h', paths: ['/home/overview'] },
  { key: 's', paths: ['/cdn/site/list'] },
  { key: 'c', paths: ['/cdn/site/cache'] },
  { key: 'n', paths: ['/cdn/node/list'] },
  { key: 'p', paths: ['/cdn/tools/push'] },
  { key: 'u', paths: ['/account/users/users'] },
  { key: 'a', paths: ['/account/users/admins'] },
  { key: 'r', paths: ['/account/role/list'] },
  { key: 'l', paths: ['/cdn/log/admins', '/dns/log/admins', '/cdn/account/log', '/dns/account/log'] },
  { key: 'm', paths: ['/account/message'] },
  { key: 'i', paths: ['/cdn/account/info', '/dns/account/info'] },
]

export const goKeys = (menu: readonly MenuItem[]): { key: string; item: MenuItem }[] =>
  GO.flatMap(({ key, paths }) =>
    reachable(menu, paths)
      .slice(0, 1)
      .map((item) => ({ key, item })),
  )

/** After g the letter has to follow within this time. */
const FOLLOW_MS = 1500

export type Meant = { what: 'palette' } | { what: 'sheet' } | { what: 'go'; key: string } | null

const FIELDS = 'input, textarea, select, [contenteditable="true"], [role="combobox"], [role="dialog"], [role="menu"]'

/** While somebody types, or is inside a dialog, letters are letters. */
const writes = (target: EventTarget | null) => target instanceof Element && target.closest(FIELDS) !== null

/** Reads keys one after the other, as it has to remember the g. */
export const createReader = () => {
  let armedAt = Number.NEGATIVE_INFINITY
  return (event: KeyboardEvent): Meant => {
    const armed = event.timeStamp - armedAt < FOLLOW_MS
    armedAt = Number.NEGATIVE_INFINITY
    if (event.defaultPrevented || event.isComposing || event.altKey) return null
    const key = event.key.toLowerCase()
    if (event.ctrlKey !== event.metaKey) return key === 'k' && !event.shiftKey ? { what: 'palette' } : null
    if (event.ctrlKey || event.repeat || writes(event.target)) return null
    if (event.key === '?') return { what: 'sheet' }
    if (armed && /^[a-z]$/.test(key)) return { what: 'go', key }
    if (key === 'g') armedAt = event.timeStamp
    return null
  }
}
