/** The first administrator, and the ways back in for the day the password is lost. */
import { randomBytes } from 'node:crypto'
import { password as passwordForm } from '@tidegate/contract/validators'
import { eq, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { audit } from '../audit/index.ts'
import type { Hasher } from './hasher.ts'
import { adminRoles, admins, roles } from './schema.ts'
import type { Sessions } from './sessions.ts'
import { forgetAccount } from './throttle.ts'

const FIRST = 'admin'
const LOCK = 7_413_004

interface Deps {
  db: Db
  clock: Clock
  hasher: Hasher
  sessions: Sessions
}

/** 20 characters, 119 bits, none that are mistaken for one another. */
export const newPassword = (): string => {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const out: string[] = []
  while (out.length < 20) {
    const byte = randomBytes(1)[0] ?? 255
    const letter = byte < letters.length * 4 ? letters[byte % letters.length] : undefined
    if (letter) out.push(letter)
  }
  return out.join('')
}

const byName = (db: Db, username: string) =>
  db
    .select()
    .from(admins)
    .where(eq(sql`lower(${admins.username})`, username.toLowerCase()))

/** Creates the account `admin`, super administrator, if there is no administrator yet. Throws when it has no password for it. */
export const ensureFirstAdmin = async (deps: Deps, password: string | undefined): Promise<boolean> => {
  const any = await deps.db.select({ id: admins.id }).from(admins).limit(1)
  if (any.length > 0) return false
  if (!password) throw new Error('there is no administrator yet: set TIDEGATE_ADMIN_PASSWORD for the first one')
  if (!passwordForm.safeParse(password).success)
    throw new Error('TIDEGATE_ADMIN_PASSWORD must have 4 to 32 characters and no Chinese ones')
  const passwordHash = await deps.hasher.hash(password)
  return deps.db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK})`)
    const [present] = await tx.select({ id: admins.id }).from(admins).limit(1)
    if (present) return false
    const now = new Date(deps.clock.now())
    const [row] = await tx
      .insert(admins)
      .values({ username: FIRST, passwordHash, createdAt: now, passwordAt: now })
      .returning({ id: admins.id })
    const [role] = await tx.select({ id: roles.id }).from(roles).where(eq(roles.isSuper, true)).limit(1)
    if (!row || !role) throw new Error('the role of the super administrator is missing')
    await tx.insert(adminRoles).values({ adminId: row.id, roleId: role.id })
    await audit(tx, null, { action: 'admin.create', target: `admin ${row.id}`, after: { username: FIRST } })
    return true
  })
}

/** Gives the account a new password, enables it, lifts its throttling, ends its sessions. False: there is no such account. */
export const resetPassword = async (deps: Deps, username: string, password: string): Promise<boolean> => {
  const [admin] = await byName(deps.db, username)
  if (!admin) return false
  const passwordHash = await deps.hasher.hash(password)
  await deps.db.transaction(async (tx) => {
    const change = { passwordHash, passwordAt: new Date(deps.clock.now()), enabled: true }
    await tx.update(admins).set(change).where(eq(admins.id, admin.id))
    await forgetAccount(tx, { kind: 'admin', names: [admin.username] })
    await deps.sessions.revokeAll(tx, { kind: 'admin', id: admin.id })
    await audit(tx, null, { action: 'admin.password.reset', target: `admin ${admin.id}` })
  })
  return true
}

/** Enables the account and lifts the throttling of it and of all addresses. False: there is no such account. */
export const unlock = async (deps: Deps, username: string): Promise<boolean> => {
  const [admin] = await byName(deps.db, username)
  if (!admin) return false
  await deps.db.transaction(async (tx) => {
    await tx.update(admins).set({ enabled: true }).where(eq(admins.id, admin.id))
    await forgetAccount(tx, { kind: 'admin', names: [admin.username] })
    await tx.execute(sql`DELETE FROM login_failure WHERE kind = 'address'`)
    await audit(tx, null, { action: 'admin.unlock', target: `admin ${admin.id}` })
  })
  return true
}
