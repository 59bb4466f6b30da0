/** Where an outside provider sends the browser back to, the same for all providers. */
import type { ConsoleId } from '@tidegate/contract/enums'
import type { Caller } from '../../platform/caller.ts'
import type { Owner } from './sessions.ts'

const PATHS: Record<ConsoleId, string> = {
  admin: '/admin/',
  'dns-admin': '/dns-admin/',
  user: '/',
  'dns-user': '/dns/',
}

/** The pages of an audience that a provider may send a browser back to. */
export const consolePaths = (kind: Owner['kind']): string[] =>
  kind === 'admin' ? [PATHS.admin, PATHS['dns-admin']] : [PATHS.user, PATHS['dns-user']]

/**
 * The page of the caller's console variant for this audience. What the provider adds to the address is worth nothing without the ticket that
 * the browser kept.
 */
export const consoleAddress = (publicUrl: string | undefined, caller: Caller, kind: Owner['kind']): string => {
  const [cdn, dns] = consolePaths(kind)
  return new URL((caller.console.startsWith('dns-') ? dns : cdn) ?? '/', publicUrl ?? caller.origin).href
}
