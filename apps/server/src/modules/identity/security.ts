/** One's own second factors, open logins and allowed addresses. */
import { sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { iso, row, rows } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { ownerOf, type ProofDeps, provePassword } from './account.ts'
import { accountOf, targetOf } from './accounts.ts'
import { addressIn } from './addresses.ts'
import { eventOf } from './enter.ts'
import { type Factors, roomForFactor } from './factors.ts'
import type { Guard } from './guard.ts'
import { accountTable, ownedBy } from './owned.ts'
import type { Passkeys } from './passkeys.ts'
import type { SecurityEvent } from './places.ts'
import type { Owner } from './sessions.ts'
import type { Tickets } from './tickets.ts'

export interface SecurityDeps extends ProofDeps {
  factors: Factors
  passkeys: Passkeys
  tickets: Tickets
  guard: Guard
  notify(event: SecurityEvent): void
}

interface LoginRow {
  id: number
  console: string
  ip: string
  userAgent: string
  createTime: string
  lastUse: string
}

/** Open logins, last used first; `asking`: the session that asks. */
const openLogins = async (db: Db, owner: Owner, asking: number) => {
  const found = await rows<LoginRow>(
    db,
    sql`SELECT id, console, ip, user_agent AS "userAgent", created_at AS "createTime", used_at AS "lastUse" FROM session
      WHERE ${ownedBy(owner)} ORDER BY id = ${asking} DESC, used_at DESC, id DESC LIMIT 200`,
  )
  return found.map((login) => ({
    ...login,
    createTime: iso(login.createTime),
    lastUse: iso(login.lastUse),
    own: login.id === asking,
  }))
}

/** What both the owner and who manages the account see. Throws `not_found`. */
export const securityState = async ({ db, factors }: SecurityDeps, owner: Owner, asking: number) => {
  const white = await row<{ whiteIpStatus: number; whiteIps: string[] }>(
    db,
    sql`SELECT white_ip_status AS "whiteIpStatus", white_ips AS "whiteIps" FROM ${accountTable(owner.kind)} WHERE id = ${owner.id}`,
  )
  if (!white) throw new AppError('not_found')
  const list = await factors.list(db, owner)
  return {
    ...white,
    factors: list.map((f) => ({ ...f, createTime: iso(f.createTime), lastUse: iso(f.lastUse) })),
    recoveryLeft: await factors.recoveryLeft(db, owner),
    logins: await openLogins(db, owner, asking),
  }
}

/** Ends one login, or all but `keep`; answers how many. */
export const endLogins = async (tx: Queryable, owner: Owner, one: number | undefined, keep: number) => {
  const which = one === undefined ? sql`id <> ${keep}` : sql`id = ${one}`
  const gone = await tx.execute(sql`DELETE FROM session WHERE ${ownedBy(owner)} AND ${which}`)
  if (one !== undefined && gone.rowCount === 0) throw new AppError('not_found')
  return gone.rowCount ?? 0
}

interface White {
  whiteIpStatus: 0 | 1
  whiteIps: string[]
}

/** Answers what was there before. */
export const storeWhite = async (tx: Queryable, { kind, id }: Owner, white: White) => {
  const table = accountTable(kind)
  const before = await row<White>(
    tx,
    sql`SELECT white_ip_status AS "whiteIpStatus", white_ips AS "whiteIps" FROM ${table} WHERE id = ${id} FOR UPDATE`,
  )
  if (!before) throw new AppError('not_found')
  await tx.execute(sql`UPDATE ${table} SET white_ip_status = ${white.whiteIpStatus},
    white_ips = ${sql.param(white.whiteIps)}::text[] WHERE id = ${id}`)
  return before
}

type Ids =
  | 'security.info'
  | 'security.totp'
  | 'security.totpConfirm'
  | 'security.passkey'
  | 'security.passkeyConfirm'
  | 'security.factorDelete'
  | 'security.recovery'
  | 'security.whiteIp'
  | 'security.revoke'

/** The caller's account, password proved; that try no longer counts. */
const proved = async (deps: SecurityDeps, caller: Caller, password: string) => {
  const { account, attempt } = await provePassword(deps, caller, password)
  await attempt.voided(deps.db)
  return account
}

const present = async (deps: SecurityDeps, caller: Caller) => {
  const account = await accountOf(deps.db, ownerOf(caller))
  if (!account) throw new AppError('unauthenticated')
  return account
}

const factorHandlers = (
  deps: SecurityDeps,
): Pick<Handlers<Ids>, 'security.totp' | 'security.totpConfirm' | 'security.passkey' | 'security.passkeyConfirm'> => {
  const { db, factors, passkeys, tickets, clock } = deps
  /** Notes a factor that now counts: this login is as good as one with it. */
  const added = async (caller: Caller, action: Ids, name: string, work: (tx: Queryable) => Promise<void>) => {
    const account = await present(deps, caller)
    const recoveryCodes = await db.transaction(async (tx) => {
      await work(tx)
      await tx.execute(sql`UPDATE session SET strong = true WHERE id = ${caller.sessionId}`)
      await audit(tx, caller, { action, target: targetOf(account), after: { name } })
      return factors.firstRecovery(tx, account)
    })
    deps.notify(eventOf('factor_added', account, caller, clock.now()))
    return { recoveryCodes }
  }
  return {
    'security.totp': async ({ password }, caller) => {
      const account = await proved(deps, caller, password)
      return db.transaction(async (tx) => {
        await roomForFactor(factors, tx, account)
        await audit(tx, caller, { action: 'security.totp', target: targetOf(account) })
        return factors.beginTotp(tx, account, { issuer: 'Tidegate', name: account.username })
      })
    },
    'security.totpConfirm': ({ code }, caller) =>
      added(caller, 'security.totpConfirm', 'TOTP', async (tx) => {
        if (!(await factors.redeemTotp(tx, ownerOf(caller), code, 'new'))) throw fieldError('code', 'code_wrong')
      }),
    'security.passkey': async ({ password }, caller) => {
      const site = passkeys.siteOf(caller)
      if (site === null) throw new AppError('passkey_impossible')
      const account = await proved(deps, caller, password)
      return db.transaction(async (tx) => {
        await roomForFactor(factors, tx, account)
        const { options, challenge } = await passkeys.beginRegistration(tx, account, site, account.username)
        await audit(tx, caller, { action: 'security.passkey', target: targetOf(account) })
        return { options, ticket: await tickets.issue(tx, 'passkey', account, { challenge }) }
      })
    },
    'security.passkeyConfirm': ({ ticket, name, response }, caller) =>
      added(caller, 'security.passkeyConfirm', name, async (tx) => {
        const owner = ownerOf(caller)
        const site = passkeys.siteOf(caller)
        const found = await tickets.take(tx, 'passkey', ticket)
        const known = found?.owner?.kind === owner.kind && found.owner.id === owner.id
        if (!found || !known || site === null) throw new AppError('ticket_expired')
        if (!(await passkeys.register(tx, owner, site, String(found.data.challenge), response, name)))
          throw fieldError('response', 'invalid')
      }),
  }
}

export const createSecurity = (deps: SecurityDeps): Handlers<Ids> => ({
  ...factorHandlers(deps),
  'security.info': async (_input, caller) => {
    const owner = ownerOf(caller)
    return {
      data: {
        ...(await securityState(deps, owner, caller.sessionId)),
        ip: caller.ip,
        required: await deps.guard.mustSetUp(owner, caller.sessionId),
        passkeys: deps.passkeys.siteOf(caller) !== null,
      },
    }
  },
  'security.factorDelete': async ({ id, password }, caller) => {
    const account = await proved(deps, caller, password)
    await deps.db.transaction(async (tx) => {
      const { kind, name } = await deps.factors.remove(tx, account, id)
      await audit(tx, caller, { action: 'security.factorDelete', target: targetOf(account), before: { kind, name } })
    })
    deps.notify(eventOf('factor_removed', account, caller, deps.clock.now()))
    return {}
  },
  'security.recovery': async ({ password }, caller) => {
    const account = await proved(deps, caller, password)
    if ((await deps.factors.list(deps.db, account)).length === 0) throw new AppError('conflict')
    return deps.db.transaction(async (tx) => {
      await audit(tx, caller, { action: 'security.recovery', target: targetOf(account) })
      return { recoveryCodes: await deps.factors.renewRecovery(tx, account) }
    })
  },
  'security.whiteIp': async (white, caller) => {
    // A list without the address one is at would lock oneself out at once.
    if (white.whiteIpStatus === 1 && !addressIn(caller.ip, white.whiteIps))
      throw fieldError('whiteIps', 'own_address', { value: caller.ip })
    const owner = ownerOf(caller)
    await deps.db.transaction(async (tx) => {
      const before = await storeWhite(tx, owner, white)
      await audit(tx, caller, { action: 'security.whiteIp', target: targetOf(owner), before, after: white })
    })
    return {}
  },
  'security.revoke': async ({ id }, caller) => {
    const owner = ownerOf(caller)
    const count = await deps.db.transaction(async (tx) => {
      const ended = await endLogins(tx, owner, id, caller.sessionId)
      await audit(tx, caller, { action: 'security.revoke', target: targetOf(owner), before: { logins: ended } })
      return ended
    })
    return { count }
  },
})
