/** Second factors: authenticator apps (TOTP, RFC 6238), passkeys (see passkeys.ts) and recovery codes. */
import { createHmac, randomBytes } from 'node:crypto'
import { MAX_FACTORS, RECOVERY_CODES } from '@tidegate/contract/limits'
import { sql } from 'drizzle-orm'
import { generateSecret, generateURI, verify } from 'otplib'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { row, rows } from '../../platform/query.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { ownedBy, ownerValues } from './owned.ts'
import type { Owner } from './sessions.ts'

export type FactorMethod = 'totp' | 'passkey' | 'recovery'

export interface FactorState {
  id: number
  kind: 'totp' | 'passkey'
  name: string
  createTime: Date
  lastUse: Date | null
}

export interface Factors {
  /** Those that are confirmed. */
  list(on: Queryable, owner: Owner): Promise<FactorState[]>
  /** What may be asked for at a login; empty: the password is enough. */
  methods(owner: Owner): Promise<FactorMethod[]>
  /** A new secret in the place of one not yet confirmed; throws `conflict` when an app is set up already. */
  beginTotp(
    tx: Queryable,
    owner: Owner,
    label: { issuer: string; name: string },
  ): Promise<{ secret: string; uri: string }>
  /** Whether the code is right and was not used before; the first right one confirms the app. */
  redeemTotp(on: Queryable, owner: Owner, code: string, state: 'new' | 'confirmed'): Promise<boolean>
  redeemRecovery(on: Queryable, owner: Owner, code: string): Promise<boolean>
  recoveryLeft(on: Queryable, owner: Owner): Promise<number>
  /** New codes in the place of all before. */
  renewRecovery(tx: Queryable, owner: Owner): Promise<string[]>
  /** Recovery codes to be shown when the first factor was confirmed; none when there are some already. */
  firstRecovery(tx: Queryable, owner: Owner): Promise<string[]>
  /** Answers what was removed; recovery codes go with the last factor. Throws `not_found`. */
  remove(tx: Queryable, owner: Owner, id: number): Promise<FactorState>
  removeAll(tx: Queryable, owner: Owner): Promise<number>
}

interface Deps {
  db: Db
  clock: Clock
  secrets: Secrets
}

/** One step before and after the present one, for clocks that are a little off. */
const TOLERANCE = 30
/** 31 letters and digits that cannot be mistaken for one another. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Ten of 31 characters in two halves: 49 bits. */
const newCode = (): string => {
  let code = ''
  while (code.length < 10) {
    const byte = randomBytes(1)[0] ?? 255
    const letter = byte < 248 ? LETTERS[byte % 31] : undefined
    if (letter) code += letter
  }
  return `${code.slice(0, 5)}-${code.slice(5)}`
}

/** As a person types it: case, blanks and hyphens do not count. */
const plain = (code: string) => code.toLowerCase().replace(/[\s-]/g, '')

const aad = ({ kind, id }: Owner) => `second_factor ${kind} ${id} secret`
const SELECT = sql`SELECT id, kind, name, created_at AS "createTime", used_at AS "lastUse" FROM second_factor`

export const createFactors = ({ db, clock, secrets }: Deps): Factors => {
  const key = secrets.derive('recovery codes')
  const hashOf = ({ kind, id }: Owner, code: string) =>
    createHmac('sha256', key)
      .update(`${kind} ${id} ${plain(code)}`)
      .digest()
  const now = () => new Date(clock.now()).toISOString()

  const list: Factors['list'] = (on, owner) =>
    rows<FactorState>(on, sql`${SELECT} WHERE ${ownedBy(owner)} AND confirmed_at IS NOT NULL ORDER BY id`)
  const recoveryLeft: Factors['recoveryLeft'] = async (on, owner) =>
    Number((await row<{ n: number }>(on, sql`SELECT count(*) AS n FROM recovery_code WHERE ${ownedBy(owner)}`))?.n ?? 0)
  const dropRecovery = (tx: Queryable, owner: Owner) =>
    tx.execute(sql`DELETE FROM recovery_code WHERE ${ownedBy(owner)}`)
  const renewRecovery: Factors['renewRecovery'] = async (tx, owner) => {
    await dropRecovery(tx, owner)
    const codes = Array.from({ length: RECOVERY_CODES }, newCode)
    for (const code of codes)
      await tx.execute(
        sql`INSERT INTO recovery_code (code_hash, admin_id, customer_id) VALUES (${hashOf(owner, code)}, ${ownerValues(owner)})`,
      )
    return codes
  }
  return {
    list,
    recoveryLeft,
    renewRecovery,
    methods: async (owner) => {
      const kinds = new Set<FactorMethod>((await list(db, owner)).map((factor) => factor.kind))
      if (kinds.size > 0 && (await recoveryLeft(db, owner)) > 0) kinds.add('recovery')
      return [...kinds]
    },
    beginTotp: async (tx, owner, { issuer, name }) => {
      const secret = generateSecret()
      const made = await row(
        tx,
        sql`INSERT INTO second_factor (admin_id, customer_id, kind, name, secret, created_at)
          VALUES (${ownerValues(owner)}, 'totp', 'TOTP', ${secrets.seal(secret, aad(owner))}, ${now()})
          ON CONFLICT (${owner.kind === 'admin' ? sql`admin_id` : sql`customer_id`}) WHERE kind = 'totp'
          DO UPDATE SET secret = excluded.secret, last_step = NULL, created_at = excluded.created_at
          WHERE second_factor.confirmed_at IS NULL RETURNING id`,
      )
      if (!made) throw new AppError('conflict')
      return { secret, uri: generateURI({ issuer, label: name, secret }) }
    },
    redeemTotp: async (on, owner, code, state) => {
      const confirmed = state === 'new' ? sql`confirmed_at IS NULL` : sql`confirmed_at IS NOT NULL`
      const found = await row<{ id: number; secret: string; lastStep: number | null }>(
        on,
        sql`SELECT id, secret, last_step AS "lastStep" FROM second_factor WHERE ${ownedBy(owner)} AND kind = 'totp' AND ${confirmed}`,
      )
      if (!found) return false
      const result = await verify({
        secret: secrets.open(found.secret, aad(owner)),
        token: code,
        epoch: Math.floor(clock.now() / 1000),
        epochTolerance: TOLERANCE,
      })
      if (!result.valid || !('timeStep' in result)) return false
      // The step is taken in the same statement that looks at it: the same code twice at once passes once.
      const taken = await on.execute(sql`
        UPDATE second_factor SET last_step = ${result.timeStep}, used_at = ${now()}, confirmed_at = coalesce(confirmed_at, ${now()})
        WHERE id = ${found.id} AND coalesce(last_step, -1) < ${result.timeStep}`)
      return taken.rowCount === 1
    },
    redeemRecovery: async (on, owner, code) => {
      const used = await on.execute(
        sql`DELETE FROM recovery_code WHERE code_hash = ${hashOf(owner, code)} AND ${ownedBy(owner)}`,
      )
      return used.rowCount === 1
    },
    firstRecovery: async (tx, owner) => ((await recoveryLeft(tx, owner)) > 0 ? [] : renewRecovery(tx, owner)),
    remove: async (tx, owner, id) => {
      const found = await row<FactorState>(tx, sql`${SELECT} WHERE ${ownedBy(owner)} AND id = ${id} FOR UPDATE`)
      if (!found) throw new AppError('not_found')
      await tx.execute(sql`DELETE FROM second_factor WHERE id = ${id}`)
      if ((await list(tx, owner)).length === 0) await dropRecovery(tx, owner)
      return found
    },
    removeAll: async (tx, owner) => {
      await dropRecovery(tx, owner)
      return (await tx.execute(sql`DELETE FROM second_factor WHERE ${ownedBy(owner)}`)).rowCount ?? 0
    },
  }
}

/** Throws `conflict` when an account has as many factors as it may. */
export const roomForFactor = async (factors: Factors, on: Queryable, owner: Owner): Promise<void> => {
  if ((await factors.list(on, owner)).length >= MAX_FACTORS) throw new AppError('conflict')
}
