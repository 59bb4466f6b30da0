/** Identity: administrators, their sessions, roles and menus. */
import { LOGIN_WINDOW } from '@tidegate/contract/limits'
import { lt } from 'drizzle-orm'
import type { Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { JobDefinition } from '../../platform/jobs.ts'
import type { Part } from '../../platform/part.ts'
import { createAccount } from './account.ts'
import { createAdminScreens } from './admin-write.ts'
import { ensureFirstAdmin } from './admins.ts'
import { type CaptchaGenerator, createCaptchas } from './captcha.ts'
import { resetPasswordCommand, unlockCommand } from './commands.ts'
import { adminExport, roleExport } from './export.ts'
import type { Hasher } from './hasher.ts'
import { type CaptchaPolicy, createLogin } from './login.ts'
import { createMenu } from './menu.ts'
import { createMenuEditor } from './menu-edit.ts'
import { createRoles } from './role.ts'
import { captchas as captchaTable, loginFailures } from './schema.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createThrottle } from './throttle.ts'

export interface IdentityDeps {
  db: Db
  clock: Clock
  hasher: Hasher
  captchaPolicy: CaptchaPolicy
  captchaKey: Buffer
  generateCaptcha: CaptchaGenerator
  /** TIDEGATE_ADMIN_PASSWORD */
  adminPassword: string | undefined
}

type Ids =
  | 'captcha'
  | keyof ReturnType<typeof createLogin>
  | keyof ReturnType<typeof createAccount>
  | keyof ReturnType<typeof createMenu>
  | keyof ReturnType<typeof createAdminScreens>
  | keyof ReturnType<typeof createRoles>
  | keyof ReturnType<typeof createMenuEditor>

export interface IdentityModule extends Part {
  handlers: Handlers<Ids>
  authenticate: Sessions['authenticate']
  /** Creates the account `admin` if there is none; true when it did. Throws when it has no password for it. */
  ensureFirstAdmin(): Promise<boolean>
}

/** Removes what has expired; nothing depends on it but room. */
const retention = ({ db, clock }: IdentityDeps, sessions: Sessions): JobDefinition => ({
  name: 'identity.retention',
  cron: '7 * * * *',
  run: async () => {
    const now = clock.now()
    await sessions.removeExpired()
    await db.delete(captchaTable).where(lt(captchaTable.expiresAt, new Date(now)))
    await db.delete(loginFailures).where(lt(loginFailures.failedAt, new Date(now - LOGIN_WINDOW * 1000)))
  },
})

export const createIdentityModule = (deps: IdentityDeps): IdentityModule => {
  const sessions = createSessions(deps.db, deps.clock)
  const throttle = createThrottle(deps.db, deps.clock)
  const captchas = createCaptchas({ ...deps, key: deps.captchaKey, generate: deps.generateCaptcha })
  const inner = { ...deps, sessions, throttle, captchas }
  return {
    name: 'identity',
    handlers: {
      captcha: ({ uuid }) => captchas.issue(uuid),
      ...createLogin(inner),
      ...createAccount(inner),
      ...createMenu(deps.db),
      ...createAdminScreens(inner),
      ...createRoles(deps.db),
      ...createMenuEditor(deps.db),
    },
    exports: [adminExport, roleExport],
    authenticate: sessions.authenticate,
    ensureFirstAdmin: () => ensureFirstAdmin(inner, deps.adminPassword),
    jobs: [retention(deps, sessions)],
    commands: {
      'admin reset-password': resetPasswordCommand(inner, deps.adminPassword),
      'admin unlock': unlockCommand(inner),
    },
  }
}
