/** The caller's own account: who am I, change my password, log out. */
import { eq } from 'drizzle-orm'
import type { Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { audit } from '../audit/index.ts'
import type { Hasher } from './hasher.ts'
import { admins } from './schema.ts'
import type { Sessions } from './sessions.ts'
import { subjectOf, type Throttle } from './throttle.ts'

interface Deps {
  db: Db
  clock: Clock
  hasher: Hasher
  sessions: Sessions
  throttle: Throttle
}

const load = async (db: Db, id: number) => {
  const [admin] = await db.select().from(admins).where(eq(admins.id, id))
  if (!admin) throw new AppError('unauthenticated')
  return admin
}

export const createAccount = (
  deps: Deps,
): Handlers<'auth.logout' | 'auth.unlock' | 'admin.info' | 'admin.password'> => ({
  'auth.logout': async (_input, caller) => {
    await deps.db.transaction(async (tx) => {
      await deps.sessions.revoke(tx, caller.sessionId)
      await audit(tx, caller, { action: 'auth.logout', target: `admin ${caller.id}` })
    })
    return {}
  },
  /** Wrong tries count like failed logins, so that a screen left alone is no way around the throttle. */
  'auth.unlock': async (input, caller) => {
    const admin = await load(deps.db, caller.id)
    const attempt = await deps.throttle.begin(subjectOf(admin.username, caller.ip))
    if (!(await deps.hasher.verify(admin.passwordHash, input.password))) {
      await audit(deps.db, caller, { action: 'auth.unlock.failed', target: `admin ${admin.id}` })
      throw fieldError('password', 'password_wrong')
    }
    await attempt.succeeded(deps.db)
    return {}
  },
  'admin.info': async (_input, caller) => {
    const admin = await load(deps.db, caller.id)
    return {
      user: {
        userId: admin.id,
        username: admin.username,
        superAdmin: caller.superAdmin,
        whiteIpStatus: admin.whiteIpStatus,
        unvalidModel: admin.unvalidModel,
        permissions: [...caller.permissions].sort(),
      },
    }
  },
  /** Ends every session of the account, this one too. Wrong tries count like failed logins. */
  'admin.password': async (input, caller) => {
    const admin = await load(deps.db, caller.id)
    const attempt = await deps.throttle.begin(subjectOf(admin.username, caller.ip))
    if (!(await deps.hasher.verify(admin.passwordHash, input.password))) throw fieldError('password', 'password_wrong')
    const passwordHash = await deps.hasher.hash(input.newPassword)
    await deps.db.transaction(async (tx) => {
      await attempt.succeeded(tx)
      await tx
        .update(admins)
        .set({ passwordHash, passwordAt: new Date(deps.clock.now()) })
        .where(eq(admins.id, admin.id))
      await deps.sessions.revokeAll(tx, { kind: 'admin', id: admin.id })
      await audit(tx, caller, { action: 'admin.password', target: `admin ${admin.id}` })
    })
    return {}
  },
})
