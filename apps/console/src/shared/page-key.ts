/** Which of the open pages a component stands in (the same screen may be open for several objects at once), and what that page is called. */
import { createContext, useContext, useEffect } from 'react'
import { create } from 'zustand'

export const PageKeyContext = createContext('')
/** The key of the page around the component; '' outside of the shell's pages. */
export const usePageKey = (): string => useContext(PageKeyContext)

/** Names that pages gave themselves, by their key. */
export const usePageNames = create<{ names: Readonly<Record<string, string>> }>(() => ({ names: {} }))

const setName = (pageKey: string, name: string) =>
  usePageNames.setState(({ names }) => (names[pageKey] === name ? { names } : { names: { ...names, [pageKey]: name } }))

/** The page is closed. */
export const forgetName = (pageKey: string): void =>
  usePageNames.setState(({ names: { [pageKey]: _gone, ...names } }) => ({ names }))

/** Names the page's tab and the window after the object that the page shows; until it is known the menu's title stands there. */
export const usePageName = (name: string | undefined): void => {
  const pageKey = usePageKey()
  useEffect(() => {
    if (name !== undefined && name !== '') setName(pageKey, name)
  }, [pageKey, name])
}
