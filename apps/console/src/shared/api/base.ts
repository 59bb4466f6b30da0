/** Which base path the API is called under. */
import { here } from '../console.ts'
import { useDebug } from '../debug.ts'

let reset = false
/** The page config's `resetApi`: from now on every console calls /api/, where the session's console decides. */
export const resetApi = (on: boolean): void => {
  reset = on
}

/** Base path of this console's API: in debug mode the one given there, else by the page config, else the console's own. */
export const apiBase = (): string => {
  const { on, base } = useDebug.getState()
  if (on && base !== '') return base
  return reset ? '/api/' : here.api
}
