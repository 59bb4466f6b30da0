/** Real names at the identity API of the operator's choice: limited by customer, remembered by a keyed hash, tried from the settings screen. */
import { createHmac } from 'node:crypto'
import { secretsOf } from '@tidegate/contract/config/params'
import { SECRET_MASK } from '@tidegate/contract/config/record'
import { IDENTITY_PARAMS, type IdentityConfig, type IdentityVerdict } from '@tidegate/contract/config/services'
import { IDENTITY_CACHE_DAYS, IDENTITY_CHECKS_PER_DAY } from '@tidegate/contract/limits'
import type { InputOf } from '@tidegate/contract/operations/index'
import { sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Part } from '../../platform/part.ts'
import { row } from '../../platform/query.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { audit } from '../audit/index.ts'
import { askProvider, type Person, type ProviderAnswer, type RealNameRoots } from './providers.ts'

export { REAL_NAME_ROOTS, type RealNameRoots } from './providers.ts'

export interface RealNameDeps {
  db: Db
  clock: Clock
  log: Log
  secrets: Secrets
  /** What is stored, and whether customers' names are checked by it. */
  config(): Promise<{ stored: IdentityConfig | null; enabled: boolean }>
  roots: RealNameRoots
  timeoutMs?: number | undefined
}

export interface RealNameModule extends Part {
  handlers: Handlers<'realName.test'>
  /** See modules/customer's RealNamePort. */
  check(customerId: number, person: Person): Promise<IdentityVerdict | null>
}

const DAY_MS = 86_400_000
/** Days after which a check is forgotten. */
const KEEP_DAYS = 90
const SECRETS = secretsOf(IDENTITY_PARAMS)

/** The provider's words without the settings' secrets and without what was asked about. */
const cleaned = (answer: string, config: IdentityConfig, { realName, idCard }: Person): string => {
  const values: Readonly<Record<string, string>> = config
  const hidden = [idCard, idCard.toLowerCase(), realName, ...SECRETS.map((name) => values[name] ?? '')]
  return hidden
    .filter((text) => text.length > 1)
    .flatMap((text) => [text, encodeURIComponent(text)])
    .reduce((rest, text) => rest.replaceAll(text, '******'), answer)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

/** Counts the try and answers its id. Two at once wait for each other. */
const reserve = (deps: RealNameDeps, customerId: number, hash: Buffer, provider: string) =>
  deps.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM customer WHERE id = ${customerId} FOR UPDATE`)
    const now = deps.clock.now()
    const at = (ms: number) => new Date(ms).toISOString()
    await tx.execute(sql`DELETE FROM identity_check WHERE asked_at < ${at(now - KEEP_DAYS * DAY_MS)}`)
    const counted = await row<{ n: number }>(
      tx,
      sql`SELECT count(*) AS n FROM identity_check WHERE customer_id = ${customerId} AND asked_at > ${at(now - DAY_MS)}`,
    )
    if (Number(counted?.n ?? 0) >= IDENTITY_CHECKS_PER_DAY)
      throw new AppError('identity_limit', { params: { max: IDENTITY_CHECKS_PER_DAY } })
    const made = await row<{ id: number }>(
      tx,
      sql`INSERT INTO identity_check (customer_id, person_hash, provider, asked_at)
        VALUES (${customerId}, ${hash}, ${provider}, ${at(now)}) RETURNING id`,
    )
    return Number(made?.id)
  })

/** What was said of the same name and number before, where that was a yes or a no. */
const remembered = ({ db, clock }: RealNameDeps, hash: Buffer) =>
  row<{ verdict: IdentityVerdict }>(
    db,
    sql`SELECT verdict FROM identity_check WHERE person_hash = ${hash} AND verdict IN ('match', 'mismatch')
      AND asked_at > ${new Date(clock.now() - IDENTITY_CACHE_DAYS * DAY_MS).toISOString()} ORDER BY id DESC LIMIT 1`,
  )

const check = async (deps: RealNameDeps, key: Buffer, customerId: number, person: Person) => {
  const { stored, enabled } = await deps.config()
  if (stored === null || !enabled) return null
  const hash = createHmac('sha256', key).update(`${person.idCard}\n${person.realName}`).digest()
  const id = await reserve(deps, customerId, hash, stored.provider)
  const known = await remembered(deps, hash)
  const said: ProviderAnswer = known ? { ...known, answer: '' } : await askProvider(deps, stored, person)
  const { verdict } = said
  if (verdict === 'failed')
    deps.log.warn({ provider: stored.provider, answer: cleaned(said.answer, stored, person) }, 'identity API')
  await deps.db.execute(
    sql`UPDATE identity_check SET verdict = ${verdict}, cached = ${known !== undefined} WHERE id = ${id}`,
  )
  return verdict
}

/** What the secrets of the stored settings were given for. */
const PLACES = ['provider', 'endpoint', 'url'] as const

/** The settings as typed, with stored secrets where the mask came. Those go nowhere but where they were meant for. */
const unmasked = (given: IdentityConfig, stored: IdentityConfig | null): IdentityConfig => {
  const values: Readonly<Record<string, string>> = given
  const masked = SECRETS.filter((name) => values[name] === SECRET_MASK)
  if (masked.length === 0) return given
  if (stored === null || PLACES.some((name) => given[name] !== stored[name]))
    throw fieldError(`config.${masked[0]}`, 'secret_again')
  const old: Readonly<Record<string, string>> = stored
  return { ...given, ...Object.fromEntries(masked.map((name) => [name, old[name] ?? ''])) }
}

const test = async (deps: RealNameDeps, input: InputOf<'realName.test'>, caller: Caller) => {
  const { stored } = await deps.config()
  const config = input.config === undefined ? stored : unmasked(input.config, stored)
  if (config === null) throw new AppError('config_incomplete')
  const person = { realName: input.realName, idCard: input.idCard }
  const { verdict, answer } = await askProvider(deps, config, person)
  const after = { provider: config.provider, verdict }
  await audit(deps.db, caller, { action: 'realName.test', target: 'config identity_api', after })
  return { data: { verdict, answer: cleaned(answer, config, person) } }
}

export const createRealNameModule = (deps: RealNameDeps): RealNameModule => {
  const key = deps.secrets.derive('identity checks')
  return {
    name: 'realname',
    handlers: { 'realName.test': (input, caller) => test(deps, input, caller) },
    check: (customerId, person) => check(deps, key, customerId, person),
  }
}
