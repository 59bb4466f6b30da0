/** The way to the operator's OpenID provider and back. The ticket stays in this tab; the provider's answer in the address is worth nothing without it. */
import { here } from './console.ts'

const KEY = `${here.id}:oidc`

export const leaveForProvider = ({ url, ticket }: { url: string; ticket: string }): void => {
  sessionStorage.setItem(KEY, ticket)
  window.location.assign(url)
}

const hasAnswer = (params: URLSearchParams) => params.has('state') && (params.has('code') || params.has('error'))

/** Whether the page has just come back from the provider. */
export const answerWaits = (): boolean =>
  here.audience === 'admin' &&
  hasAnswer(new URLSearchParams(window.location.search)) &&
  sessionStorage.getItem(KEY) !== null

/** Takes the provider's answer out of the address, and the ticket out of the tab: both are good once. */
export const takeAnswer = (): { ticket: string; query: string } | null => {
  const { search, pathname, hash } = window.location
  if (here.audience !== 'admin' || !hasAnswer(new URLSearchParams(search))) return null
  const ticket = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  window.history.replaceState(window.history.state, '', pathname + hash)
  return ticket === null ? null : { ticket, query: search }
}
