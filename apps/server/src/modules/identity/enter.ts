/** The end of every login: note it, open the session, tell the owner when it came from a new place. */
import type { ConsoleId } from '@tidegate/contract/enums'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { audit } from '../audit/index.ts'
import { type Account, noteLogin, targetOf } from './accounts.ts'
import { noteNewPlace, type SecurityEvent } from './places.ts'
import type { Sessions } from './sessions.ts'

/** The operation that lets an audience in. */
export const LOGIN = { admin: 'auth.login', user: 'auth.userLogin' } as const

export interface EnterDeps {
  db: Db
  clock: Clock
  sessions: Sessions
  /** Tells the account's owner. Never throws: a login does not wait for a mail server. */
  notify(event: SecurityEvent): void
}

/** The console of the same variant for this audience. */
const consoleFor = (kind: Account['kind'], asked: ConsoleId): ConsoleId =>
  asked.startsWith('dns-') ? (kind === 'admin' ? 'dns-admin' : 'dns-user') : kind

interface How {
  /** For the audit log. */
  action: string
  /** With more than a password. */
  strong: boolean
}

/** `first` runs in the same transaction, before all else. */
export const enter = async (
  { db, clock, sessions, notify }: EnterDeps,
  account: Account,
  caller: Caller,
  { action, strong }: How,
  first: (tx: Tx) => Promise<void> = async () => {},
) => {
  const at = clock.now()
  const { token, expire, fresh } = await db.transaction(async (tx) => {
    await first(tx)
    await noteLogin(tx, account, at, caller.ip)
    const who = { ...caller, kind: account.kind, id: account.id, name: account.username }
    await audit(tx, who, { action, target: targetOf(account) })
    const made = await sessions.create(tx, account, { ...caller, console: consoleFor(account.kind, caller.console) })
    if (strong) await sessions.strengthen(tx, made.token)
    return { ...made, fresh: await noteNewPlace(tx, account, caller, at) }
  })
  if (fresh) notify(eventOf('new_place', account, caller, at))
  return { token, expire }
}

export const eventOf = (
  kind: SecurityEvent['kind'],
  account: Pick<Account, 'kind' | 'id' | 'username'>,
  caller: Caller,
  at: number,
): SecurityEvent => ({
  kind,
  owner: { kind: account.kind, id: account.id },
  username: account.username,
  ip: caller.ip,
  userAgent: caller.userAgent,
  at,
})
