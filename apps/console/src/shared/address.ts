/** The window's address, whose fragment says which page is shown, and everybody who follows it. */
import { createContext } from 'react'
import { type Location, type NavigationType, type Navigator, UNSAFE_createHashHistory } from 'react-router'

export interface Visit {
  location: Location
  /** How it was come to: typed or by the browser's own buttons, pushed, replaced. */
  action: NavigationType
}

export interface Address {
  /** Changes the address; what the router's links and redirects use. */
  navigator: Navigator
  /** The same object until the address changes. */
  now: () => Visit
  /** Tells of each change, also of those that follow so closely upon each other that the screen shows only the last. */
  subscribe: (listener: () => void) => () => void
}

/** Follows the address from now on. */
export const followAddress = (): Address => {
  const history = UNSAFE_createHashHistory({ v5Compat: true })
  const listeners = new Set<() => void>()
  let now: Visit = { location: history.location, action: history.action }
  history.listen(({ location, action }) => {
    now = { location, action }
    for (const listener of [...listeners]) listener()
  })
  return {
    navigator: history,
    now: () => now,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The address that the routes around the component follow. */
export const AddressContext = createContext<Address | null>(null)
