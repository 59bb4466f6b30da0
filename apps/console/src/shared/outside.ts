/**
 * The way to an outside provider that one logs in at (the administrators' OpenID provider, the customers' WeChat), and back. The ticket stays in
 * this tab; what the provider adds to the address is worth nothing without it.
 */
import { here } from './console.ts'

const KEY = `${here.id}:outside`
const UNBOUND = `${here.id}:unbound`

/** What the tab keeps while the browser is away. */
interface Left {
  ticket: string
  /** To link the account that is logged in, instead of logging in. */
  link: boolean
  /** Where the person wanted to be; the provider's way back has no room for it. */
  to: string | null
}

const kept = <T>(key: string): T | null => {
  const text = sessionStorage.getItem(key)
  return text === null ? null : (JSON.parse(text) as T)
}

export const leaveForProvider = (
  { url, ticket }: { url: string; ticket: string },
  { link = false, to = null }: Partial<Omit<Left, 'ticket'>> = {},
): void => {
  const left: Left = { ticket, link, to }
  sessionStorage.setItem(KEY, JSON.stringify(left))
  window.location.assign(url)
}

/** WeChat sends back who declined with the state alone. */
const hasAnswer = () => {
  const params = new URLSearchParams(window.location.search)
  return params.has('state') && (here.audience === 'user' || params.has('code') || params.has('error'))
}

/** Whether the page has just come back from the provider, and what for. */
export const answerWaits = (): 'login' | 'link' | null => {
  const left = hasAnswer() ? kept<Left>(KEY) : null
  if (left === null) return null
  return left.link ? 'link' : 'login'
}

/** Takes the provider's answer out of the address, and the ticket out of the tab: both are good once. */
export const takeAnswer = (): { ticket: string; query: string; to: string | null } | null => {
  const { search, pathname, hash } = window.location
  if (!hasAnswer()) return null
  const left = kept<Left>(KEY)
  sessionStorage.removeItem(KEY)
  window.history.replaceState(window.history.state, '', pathname + hash)
  return left === null ? null : { ticket: left.ticket, query: search, to: left.to }
}

/** A WeChat account that no account here is linked with yet: the next login or registration in this tab links it. */
export interface Unbound {
  ticket: string
  nickname: string
  /** Whether accounts can be made. */
  register: boolean
}

export const unbound = (): Unbound | null => kept<Unbound>(UNBOUND)
export const keepUnbound = (found: Unbound): void => sessionStorage.setItem(UNBOUND, JSON.stringify(found))
export const dropUnbound = (): void => sessionStorage.removeItem(UNBOUND)
/** For a login or registration. */
export const unboundTicket = (): { wechat?: string } => {
  const found = unbound()
  return found === null ? {} : { wechat: found.ticket }
}
