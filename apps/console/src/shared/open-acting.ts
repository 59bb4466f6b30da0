/** Opens a console in another's place in a tab of its own. The code stands behind the #, which no server sees, and is good once. */
import type { ConsoleId } from '@tidegate/contract/enums'
import { CONSOLES } from './console.ts'

export const openActing = (console: ConsoleId, code: string): void => {
  const path = CONSOLES.find((row) => row.id === console)?.path ?? '/'
  // Without an opener the tab gets none of this one's storage.
  window.open(`${path}#/enter?code=${encodeURIComponent(code)}`, '_blank', 'noopener')
}
