/** Verification codes by mail and short message: six digits, stored as an HMAC, five minutes, five tries, one use. */
import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { CODE_DIGITS, CODE_TRIES, CODE_TTL, CODE_WAIT, type CodePurpose } from '@tidegate/contract/config/notify'
import type { Lang } from '@tidegate/contract/enums'
import { sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { row, rows } from '../../platform/query.ts'
import type { SendNotice } from './send.ts'

export interface CodeRequest {
  channel: 'mail' | 'sms'
  /** A mail address or a phone number, already checked. */
  address: string
  purpose: CodePurpose
  lang: Lang
  /** The caller's, as `addressKey` gives it. */
  ip: string
  /** False: nothing is sent, but everything else looks alike (e.g. a forgotten password of an address that nobody has). */
  deliver?: boolean | undefined
}

/** What other modules need of codes. */
export interface CodePort {
  /** Sends a code; an earlier one of the address and purpose is void. Throws `too_many`, `mail_unset`, `sms_unset`. */
  send(request: CodeRequest): Promise<void>
  /** Whether the code is right; a right one is used up, and so is one after five wrong tries. */
  check(given: { channel: 'mail' | 'sms'; address: string; purpose: CodePurpose; code: string }): Promise<boolean>
}

interface Deps {
  db: Db
  clock: Clock
  /** Key of the HMAC: six digits would be guessed from a plain hash. */
  key: Buffer
  send: SendNotice
  /** Whether the channel is set up and its text for codes switched on. */
  ready: (channel: CodeRequest['channel']) => Promise<boolean>
}

/** Codes within a time in seconds: to one address for one purpose, to one address, asked for by one client. */
export const CODE_LIMITS = [
  { by: 'purpose', within: CODE_WAIT, most: 1 },
  { by: 'address', within: 3600, most: 5 },
  { by: 'address', within: 86_400, most: 10 },
  { by: 'ip', within: 3600, most: 20 },
  { by: 'ip', within: 86_400, most: 50 },
] as const

const LOCK_SPACE = 7_413_900

/** Mail addresses count without regard to the case of their letters. */
const normal = (channel: 'mail' | 'sms', address: string) =>
  channel === 'mail' ? address.trim().toLowerCase() : address.trim()

const checkLimits = async (tx: Tx, now: number, request: CodeRequest): Promise<void> => {
  const mine = sql`channel = ${request.channel} AND address = ${request.address}`
  const which = { purpose: sql`${mine} AND purpose = ${request.purpose}`, address: mine, ip: sql`ip = ${request.ip}` }
  for (const { by, within, most } of CODE_LIMITS) {
    const found = await rows<{ at: string }>(
      tx,
      sql`SELECT created_at AS at FROM verify_code WHERE ${which[by]}
            AND created_at > ${new Date(now - within * 1000).toISOString()} ORDER BY created_at DESC LIMIT ${most}`,
    )
    const oldest = found[most - 1]
    if (!oldest) continue
    const seconds = Math.ceil((new Date(oldest.at).getTime() + within * 1000 - now) / 1000)
    throw new AppError('too_many', { params: { seconds: Math.max(1, seconds) } })
  }
}

/** Requests for one address or from one client wait for each other, always in the same order. */
const lock = async (tx: Tx, { channel, address, ip }: CodeRequest) => {
  for (const key of [`${channel} ${address}`, `ip ${ip}`])
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK_SPACE}, hashtext(${key}))`)
}

export const createCodes = ({ db, clock, key, send, ready }: Deps): CodePort => {
  const hash = (parts: { channel: string; address: string; purpose: string; salt: Buffer; code: string }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([parts.channel, parts.address, parts.purpose, parts.salt.toString('hex'), parts.code]))
      .digest()

  const store = async (tx: Tx, request: CodeRequest, code: string) => {
    const now = clock.now()
    const at = new Date(now).toISOString()
    const salt = randomBytes(16)
    await tx.execute(sql`UPDATE verify_code SET used_at = ${at} WHERE channel = ${request.channel} AND address = ${request.address}
      AND purpose = ${request.purpose} AND used_at IS NULL`)
    await tx.execute(sql`INSERT INTO verify_code (channel, address, purpose, ip, code_hash, salt, created_at, expires_at)
      VALUES (${request.channel}, ${request.address}, ${request.purpose}, ${request.ip}, ${hash({ ...request, salt, code })}, ${salt},
        ${at}, ${new Date(now + CODE_TTL * 1000).toISOString()})`)
  }
  return {
    send: async (given) => {
      if (!(await ready(given.channel))) throw new AppError(given.channel === 'mail' ? 'mail_unset' : 'sms_unset')
      const request = { ...given, address: normal(given.channel, given.address) }
      const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
      await db.transaction(async (tx) => {
        await lock(tx, request)
        await checkLimits(tx, clock.now(), request)
        await store(tx, request, code)
        if (given.deliver === false) return
        await send(tx, {
          event: 'code',
          to: { channel: request.channel, address: request.address },
          vars: { code, minutes: String(CODE_TTL / 60) },
          lang: request.lang,
          validFor: CODE_TTL,
        })
      })
    },
    check: async (given) => {
      const address = normal(given.channel, given.address)
      const at = new Date(clock.now()).toISOString()
      const live = sql`used_at IS NULL AND expires_at > ${at}`
      // Counted before it is compared, so that many tries at once cannot slip through.
      const found = await row<{ id: number; hash: Buffer; salt: Buffer }>(
        db,
        sql`UPDATE verify_code SET tries = tries + 1 WHERE channel = ${given.channel} AND address = ${address}
              AND purpose = ${given.purpose} AND tries < ${CODE_TRIES} AND ${live} RETURNING id, code_hash AS hash, salt`,
      )
      if (!found) return false
      const right = timingSafeEqual(found.hash, hash({ ...given, address, code: given.code.trim(), salt: found.salt }))
      if (!right) return false
      const used = await row(
        db,
        sql`UPDATE verify_code SET used_at = ${at} WHERE id = ${found.id} AND ${live} RETURNING id`,
      )
      return used !== undefined
    },
  }
}
