/**
 * The job that brings an order to its end. Each step reads what the rows and the authority say, does one thing and writes it down, so
 * another worker goes on where one was killed. One worker at a time has an order: a lock that PostgreSQL frees with the connection.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ifUnlocked } from '../../platform/advisory-lock.ts'
import type { JobDefinition } from '../../platform/jobs.ts'
import { AcmeError, faultOfError, OrderFault } from './acme/errors.ts'
import { type Authority, forgetAccount, loadAuthority, openAccount } from './authority.ts'
import type { CertModuleDeps, StoredOrder } from './deps.ts'
import { fail } from './finish.ts'
import { loadOrder, ORDER_JOB, setRetry, setUnplaced, wakeOrder } from './orders.ts'
import { type Client, stepOf } from './steps.ts'

const LOCK = 7_413_400
/** A worker looks after one order so long at a time; then others have their turn. */
const TURN_MS = 8_000
const NEXT_TURN_MS = 2_000
/** Tries after which an order is given up. */
const TRIES = 8
const MINUTE_MS = 60_000
/** An authority that wants to be left alone longer than this is asked by a later order. */
const LONGEST_WAIT_MS = 24 * 60 * MINUTE_MS

/** 30 s, 1 min, 2 min, ... at most an hour; what the authority asked for when that is longer. */
export const pauseOf = (tries: number, asked: number): number =>
  Math.max(asked, Math.min(30_000 * 2 ** tries, 60 * MINUTE_MS))

export const orderJob = (deps: CertModuleDeps): JobDefinition => ({
  name: ORDER_JOB,
  run: async (payload) => {
    const { id } = payload as { id: number }
    const had = await ifUnlocked(deps.database.pool, [LOCK, id % 2_147_483_647], () => turn(deps, id))
    if (!had) await wakeOrder(deps.database.db, id, NEXT_TURN_MS)
  },
})

const turn = async (deps: CertModuleDeps, id: number): Promise<void> => {
  const until = performance.now() + TURN_MS
  let client: Client | undefined
  const open = async (authority: Authority) => {
    client ??= await openAccount(deps, authority)
    return client
  }
  for (let order = await loadOrder(deps.database.db, id); order; order = await loadOrder(deps.database.db, id)) {
    try {
      const wait = await stepOf(deps, order, await authorityOf(deps, order), open)
      if (performance.now() + wait > until) return await wakeOrder(deps.database.db, id, Math.max(wait, NEXT_TURN_MS))
      if (wait > 0) await delay(wait)
    } catch (error) {
      await stumble(deps, order, error)
      return
    }
  }
}

const authorityOf = async (deps: CertModuleDeps, order: StoredOrder): Promise<Authority> => {
  const authority = await loadAuthority(deps.database.db, order.authorityId)
  if (!authority?.enabled) throw new OrderFault('authority_off')
  return authority
}

/** What the authority says of things that it has forgotten; they are made anew. */
const forget = async (deps: CertModuleDeps, order: StoredOrder, error: unknown): Promise<boolean> => {
  if (!(error instanceof AcmeError)) return false
  if (error.type === 'accountDoesNotExist') await forgetAccount(deps.database.db, order.authorityId)
  else if (!(error.status === 404 && order.orderUrl !== '')) return false
  await setUnplaced(deps.database.db, order.id)
  return true
}

/** Ends the order, or puts it off. Errors that are no faults go on to the queue, which tries again by its own rule. */
const stumble = async (deps: CertModuleDeps, order: StoredOrder, error: unknown): Promise<void> => {
  const forgotten = await forget(deps, order, error)
  const fault = forgotten ? new OrderFault('busy', (error as AcmeError).detail, {}, 0) : faultOfError(error)
  deps.log.warn(
    { order: order.id, cert: order.certId, fault: fault.key, detail: fault.detail },
    'certificate order stumbled',
  )
  if (fault.after === null || order.tries + 1 >= TRIES || fault.after > LONGEST_WAIT_MS) return fail(deps, order, fault)
  await setRetry(deps.database.db, order.id, fault, pauseOf(order.tries, fault.after), deps.clock.now())
}
