/**
 * Who has typed something that is not saved. A form says so, and the shell asks before it closes the page's tab, reloads it or leaves the console.
 *
 * A form's component calls `useUnsaved(dirty)`; whoever is no component calls `registerUnsaved(pageKey, () => dirty)` and the returned
 * function once the form is gone. The page's key comes from `usePageKey()` (shared/page-key.ts).
 *
 * A page that is kept alive but hidden has its effects undone by React, although its forms still hold what was typed. What is undone while
 * the page is not the shown one therefore stays in force, until the page is shown again or closed.
 */
import { useEffect } from 'react'
import { usePageKey } from './page-key.ts'

type Dirty = () => boolean

const checks = new Map<string, Set<Dirty>>()
let shown: string | null = null

/** Adds a check for a page; the result takes it away again. */
export const registerUnsaved = (pageKey: string, dirty: Dirty): (() => void) => {
  const ofPage = checks.get(pageKey) ?? new Set()
  checks.set(pageKey, ofPage.add(dirty))
  return () => {
    if (shown === pageKey || shown === null) ofPage.delete(dirty)
  }
}

/** Whether some form of the page holds what is not saved. */
export const hasUnsaved = (pageKey: string): boolean => [...(checks.get(pageKey) ?? [])].some((dirty) => dirty())

/** Whether any page does. */
export const anyUnsaved = (): boolean => [...checks.keys()].some(hasUnsaved)

/** The page is closed: whatever its forms held is gone. */
export const forgetUnsaved = (pageKey: string): void => {
  checks.delete(pageKey)
}

/** The shell shows this page from now on, whose forms are about to register anew; null: none. */
export const showsPage = (pageKey: string | null): void => {
  if (pageKey !== null && pageKey !== shown) checks.delete(pageKey)
  shown = pageKey
}

/** Says for the page around the component whether there is something unsaved. */
export const useUnsaved = (dirty: boolean): void => {
  const pageKey = usePageKey()
  useEffect(() => registerUnsaved(pageKey, () => dirty), [pageKey, dirty])
}
