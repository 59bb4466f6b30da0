/** Keys for programs: a part of their owner's permissions, good from some addresses, for some time. Only a key's SHA-256 is stored. */
import { createHash, randomBytes } from 'node:crypto'
import type { ConsoleId } from '@tidegate/contract/enums'
import { MAX_API_KEYS } from '@tidegate/contract/limits'
import type { InputOf } from '@tidegate/contract/operations/index'
import { sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { iso, row, rows } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { ownerOf } from './account.ts'
import { addressIn } from './addresses.ts'
import type { Guard } from './guard.ts'
import { ownedBy, ownerValues } from './owned.ts'
import type { Owner, Session } from './sessions.ts'

interface Deps {
  db: Db
  clock: Clock
  guard: Guard
}

const PREFIX = 'tgk_'
const FORM = /^tgk_[\w-]{43}$/
const HINT = 10
/** `used_at` is written at most this often: a read should not cost a write. */
const TOUCH_MS = 30_000

export const isApiKey = (token: string): boolean => token.startsWith(PREFIX)
const hashOf = (key: string) => createHash('sha256').update(key).digest()

interface KeyRow {
  id: number
  name: string
  hint: string
  scopes: string[]
  allowedIps: string[]
  enabled: boolean
  expireTime: Date | null
  createTime: Date
  lastUse: Date | null
  lastUseIp: string
}

const SELECT = sql`SELECT id, name, hint, scopes, allowed_ips AS "allowedIps", enabled, expires_at AS "expireTime",
  created_at AS "createTime", used_at AS "lastUse", used_ip AS "lastUseIp" FROM api_key`

/** For the audit log. */
const noted = ({ name, scopes, allowedIps, enabled, expireTime }: KeyRow) => ({
  name,
  scopes,
  allowedIps,
  enabled,
  expireTime: iso(expireTime),
})

interface Found {
  id: number
  name: string
  scopes: string[]
  allowedIps: string[]
  usedAt: Date | null
  usedIp: string
  kind: Owner['kind']
  ownerId: number
  username: string
  unvalidModel: string[]
  permissions: string[]
}

/** The key with what its owner holds at this moment: what is taken from the owner is taken from the key. */
const find = (db: Db, hash: Buffer, now: string): Promise<Found | undefined> =>
  row<Found>(
    db,
    sql`WITH k AS (
      SELECT * FROM api_key WHERE key_hash = ${hash} AND enabled AND (expires_at IS NULL OR expires_at > ${now}))
    SELECT k.id, k.name, k.scopes, k.allowed_ips AS "allowedIps", k.used_at AS "usedAt", k.used_ip AS "usedIp",
      'admin' AS kind, a.id AS "ownerId", a.username, a.unvalid_model AS "unvalidModel", ARRAY(
        SELECT p.value FROM permission p JOIN menu m ON m.id = p.menu_id
        WHERE p.value = ANY (k.scopes) AND NOT m.url = ANY (a.unvalid_model) AND EXISTS (
          SELECT FROM admin_role ar JOIN role r ON r.id = ar.role_id
          LEFT JOIN role_permission rp ON rp.role_id = r.id AND rp.permission = p.value
          WHERE ar.admin_id = a.id AND (r.is_super OR rp.permission IS NOT NULL))) AS permissions
    FROM k JOIN admin a ON a.id = k.admin_id AND a.enabled
    UNION ALL
    SELECT k.id, k.name, k.scopes, k.allowed_ips, k.used_at, k.used_ip, 'user', c.id, c.username, c.unvalid_model, ARRAY(
        SELECT p.value FROM customer_permission p JOIN menu m ON m.id = p.menu_id
        WHERE p.value = ANY (k.scopes) AND NOT m.url = ANY (c.unvalid_model))
    FROM k JOIN customer c ON c.id = k.customer_id AND c.enabled`,
  )

/** A login's place in a request that brings a key; null: unknown, off, too old, or not from there. */
export const authenticateKey = async (
  deps: Deps,
  key: string,
  ip: string,
  looking: boolean,
): Promise<Session | null> => {
  if (!FORM.test(key)) return null
  const found = await find(deps.db, hashOf(key), new Date(deps.clock.now()).toISOString())
  if (!found) return null
  const owner: Owner = { kind: found.kind, id: Number(found.ownerId) }
  if (found.allowedIps.length > 0 && !addressIn(ip, found.allowedIps)) return null
  if (!(await deps.guard.addressAllowed(owner, ip))) return null
  if (!looking) await touch(deps, found, ip)
  const console: ConsoleId = owner.kind
  return {
    ...owner,
    name: `${found.username} [${found.name}]`,
    superAdmin: false,
    permissions: new Set(found.permissions),
    unvalidModel: found.unvalidModel,
    sessionId: 0,
    console,
    apiKey: true,
    acting: null,
  }
}

const touch = async ({ db, clock }: Deps, { id, usedAt, usedIp }: Found, ip: string) => {
  const now = clock.now()
  if (usedAt !== null && usedIp === ip && now - new Date(usedAt).getTime() < TOUCH_MS) return
  await db.execute(sql`UPDATE api_key SET used_at = ${new Date(now).toISOString()}, used_ip = ${ip} WHERE id = ${id}`)
}

const mine = async (tx: Tx, owner: Owner, id: number): Promise<KeyRow> => {
  const found = await row<KeyRow>(tx, sql`${SELECT} WHERE ${ownedBy(owner)} AND id = ${id} FOR UPDATE`)
  if (!found) throw new AppError('not_found')
  return found
}

const checkFields = (deps: Deps, input: InputOf<'apikey.save'>, caller: Caller) => {
  const beyond = input.scopes.findIndex((scope) => !caller.permissions.has(scope))
  if (beyond >= 0) throw fieldError(`scopes.${beyond}`, 'scope', { value: input.scopes[beyond] ?? '' })
  if (input.expireTime !== null && Date.parse(input.expireTime) <= deps.clock.now())
    throw fieldError('expireTime', 'in_past')
}

const create = async (deps: Deps, tx: Tx, input: InputOf<'apikey.save'>, caller: Caller) => {
  const owner = ownerOf(caller)
  const count = await row<{ n: number }>(tx, sql`SELECT count(*) AS n FROM api_key WHERE ${ownedBy(owner)}`)
  if (Number(count?.n) >= MAX_API_KEYS) throw fieldError('name', 'too_many_items', { max: MAX_API_KEYS })
  const key = PREFIX + randomBytes(32).toString('base64url')
  const made = await row<{ id: number }>(
    tx,
    sql`INSERT INTO api_key (admin_id, customer_id, name, key_hash, hint, scopes, allowed_ips, expires_at, created_at)
      VALUES (${ownerValues(owner)}, ${input.name}, ${hashOf(key)}, ${key.slice(0, HINT)}, ${sql.param(input.scopes)}::text[],
        ${sql.param(input.allowedIps)}::text[], ${input.expireTime}, ${new Date(deps.clock.now()).toISOString()}) RETURNING id`,
  )
  const after = await mine(tx, owner, Number(made?.id))
  await audit(tx, caller, { action: 'apikey.save', target: `apikey ${after.id}`, after: noted(after) })
  return { id: after.id, key }
}

const change = async (tx: Tx, input: InputOf<'apikey.save'>, id: number, caller: Caller) => {
  const owner = ownerOf(caller)
  const before = await mine(tx, owner, id)
  await tx.execute(sql`UPDATE api_key SET name = ${input.name}, scopes = ${sql.param(input.scopes)}::text[],
    allowed_ips = ${sql.param(input.allowedIps)}::text[], expires_at = ${input.expireTime} WHERE id = ${id}`)
  const after = await mine(tx, owner, id)
  await audit(tx, caller, { action: 'apikey.save', target: `apikey ${id}`, before: noted(before), after: noted(after) })
  return { id }
}

type Words = { zh: string; en: string }

/** Permissions of the caller with the screens they belong to: what a key can be given. A customer's are called like the staff's. */
const scopesOf = (db: Db, caller: Caller) =>
  rows<{ value: string; name: Words; title: Words }>(
    db,
    sql`SELECT p.value, coalesce(n.name, m.meta -> 'title') AS name, m.meta -> 'title' AS title
      FROM ${caller.kind === 'admin' ? sql`permission` : sql`customer_permission`} p JOIN menu m ON m.id = p.menu_id
        LEFT JOIN permission n ON n.value = p.value
      WHERE p.value = ANY (${sql.param([...caller.permissions])}::text[]) AND p.value <> 'cdn:account:apikey' ORDER BY m.sort, p.value`,
  )

type Ids = 'apikey.list' | 'apikey.save' | 'apikey.enable' | 'apikey.delete'

export const createApiKeys = (deps: Deps): Handlers<Ids> => ({
  'apikey.list': async (_input, caller) => {
    const found = await rows<KeyRow>(deps.db, sql`${SELECT} WHERE ${ownedBy(ownerOf(caller))} ORDER BY id DESC`)
    const list = found.map((key) => ({
      ...key,
      expireTime: iso(key.expireTime),
      expired: key.expireTime !== null && new Date(key.expireTime).getTime() <= deps.clock.now(),
      createTime: iso(key.createTime),
      lastUse: iso(key.lastUse),
    }))
    return { data: { list, scopes: await scopesOf(deps.db, caller) } }
  },
  'apikey.save': async (input, caller) => {
    checkFields(deps, input, caller)
    const { id } = input
    return deps.db.transaction<{ id: number; key?: string }>((tx) =>
      id === undefined ? create(deps, tx, input, caller) : change(tx, input, id, caller),
    )
  },
  'apikey.enable': async ({ id, enabled }, caller) => {
    await deps.db.transaction(async (tx) => {
      const before = await mine(tx, ownerOf(caller), id)
      await tx.execute(sql`UPDATE api_key SET enabled = ${enabled} WHERE id = ${id}`)
      const target = `apikey ${id}`
      await audit(tx, caller, {
        action: 'apikey.enable',
        target,
        before: { enabled: before.enabled },
        after: { enabled },
      })
    })
    return {}
  },
  'apikey.delete': async ({ ids }, caller) => {
    await deps.db.transaction(async (tx) => {
      for (const id of new Set(ids)) {
        const before = await mine(tx, ownerOf(caller), id)
        await tx.execute(sql`DELETE FROM api_key WHERE id = ${id}`)
        await audit(tx, caller, { action: 'apikey.delete', target: `apikey ${id}`, before: noted(before) })
      }
    })
    return {}
  },
})
