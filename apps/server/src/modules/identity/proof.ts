/**
 * Proof that the account's owner is there, for what one login must not be enough for: the password again, and a second factor where the
 * account has one. It is a ticket, good once, for minutes, for the same login.
 */
import type { InputOf } from '@tidegate/contract/operations/index'
import type { Caller } from '../../platform/caller.ts'
import type { Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { ownerOf, type ProofDeps, provePassword } from './account.ts'
import type { Account } from './accounts.ts'
import type { Factors } from './factors.ts'
import { askForMore, proved } from './login.ts'
import type { Passkeys } from './passkeys.ts'
import type { TicketPurpose, Tickets } from './tickets.ts'

export interface OwnerProof {
  /** Throws the field error of `password`, `second_factor_required` with what the second step needs, `second_factor_wrong`. Audited by the caller. */
  prove(caller: Caller, input: InputOf<'backup.prove'>): Promise<string>
  /** Throws `proof_expired`. */
  check(caller: Caller, proof: string): Promise<void>
  /** The same, and it is used up. */
  use(on: Queryable, caller: Caller, proof: string): Promise<void>
  /** A ticket for one later request of the same login, with data that it stands for. */
  issue(on: Queryable, caller: Caller, data: Record<string, unknown>): Promise<string>
  /** Uses it up. Throws `proof_expired`. */
  redeem(on: Queryable, caller: Caller, ticket: string): Promise<Record<string, unknown>>
}

interface Deps extends ProofDeps {
  factors: Factors
  passkeys: Passkeys
  tickets: Tickets
}

const secondFactor = async (deps: Deps, account: Account, caller: Caller, input: InputOf<'backup.prove'>) => {
  const methods = await deps.factors.methods(account)
  if (methods.length === 0) return
  const { code, recovery, ticket, assertion } = input
  if (code === undefined && recovery === undefined && assertion === undefined)
    return askForMore(deps, account, caller, methods, 'confirm')
  const found = ticket === undefined ? null : await deps.tickets.take(deps.db, 'confirm', ticket)
  const own = found?.owner?.kind === account.kind && found.owner.id === account.id
  const challenge = own ? String(found.data.challenge ?? '') : ''
  if (!(await proved(deps, account, caller, { code, recovery, assertion }, challenge)))
    throw new AppError('second_factor_wrong')
}

export const createOwnerProof = (deps: Deps): OwnerProof => {
  const { tickets } = deps
  const mine = (caller: Caller, found: Awaited<ReturnType<Tickets['take']>>): Record<string, unknown> => {
    const { kind, id } = ownerOf(caller)
    const known = found?.owner?.kind === kind && found.owner.id === id && found.data.session === caller.sessionId
    if (!found || !known) throw new AppError('proof_expired')
    return found.data
  }
  const issue = (on: Queryable, purpose: TicketPurpose, caller: Caller, data: Record<string, unknown>) =>
    tickets.issue(on, purpose, ownerOf(caller), { ...data, session: caller.sessionId })
  return {
    prove: async (caller, input) => {
      const { account, attempt } = await provePassword(deps, caller, input.password)
      try {
        await secondFactor(deps, account, caller, input)
      } catch (error) {
        // The password was right: only a wrong second factor counts as a failed try.
        if (error instanceof AppError && error.key === 'second_factor_required') await attempt.voided(deps.db)
        throw error
      }
      await attempt.succeeded(deps.db, account)
      return await issue(deps.db, 'proof', caller, {})
    },
    check: async (caller, proof) => void mine(caller, await tickets.attempt('proof', proof)),
    use: async (on, caller, proof) => void mine(caller, await tickets.take(on, 'proof', proof)),
    issue: (on, caller, data) => issue(on, 'export', caller, data),
    redeem: async (on, caller, ticket) => mine(caller, await tickets.take(on, 'export', ticket)),
  }
}
