/** Which of the open pages a component stands in: the same screen may be open for several objects at once. */
import { createContext, useContext } from 'react'

export const PageKeyContext = createContext('')
/** The key of the page around the component; '' outside of the shell's pages. */
export const usePageKey = (): string => useContext(PageKeyContext)
