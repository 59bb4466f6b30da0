/** Identity: administrators, their sessions, roles and menus. */

import type { CaptchaPolicy, LoginConfig } from '@tidegate/contract/config/login'
import type { OidcConfig } from '@tidegate/contract/config/oidc'
import type { WechatConfig } from '@tidegate/contract/config/wechat'
import { LOGIN_WINDOW } from '@tidegate/contract/limits'
import { lt } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Part } from '../../platform/part.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { type TaskKind, taskKind } from '../../platform/task.ts'
import { createAccount, provePassword } from './account.ts'
import { noteLogin } from './accounts.ts'
import { createActing } from './acting.ts'
import { createAdminScreens } from './admin-write.ts'
import { ensureFirstAdmin, newPassword } from './admins.ts'
import { authenticateKey, createApiKeys, isApiKey } from './api-keys.ts'
import { type CaptchaGenerator, type Captchas, createCaptchas } from './captcha.ts'
import { resetPasswordCommand, unlockCommand } from './commands.ts'
import { adminExport, roleExport } from './export.ts'
import { createFactors } from './factors.ts'
import { createGuard } from './guard.ts'
import type { Hasher } from './hasher.ts'
import { createLogin } from './login.ts'
import { createMenu } from './menu.ts'
import { createMenuEditor } from './menu-edit.ts'
import { createOidc } from './oidc.ts'
import { createOthersSecurity } from './others-security.ts'
import { createPasskeys } from './passkeys.ts'
import type { SecurityEvent } from './places.ts'
import { type CheckPassword, createPasswordCheck } from './policy.ts'
import { createOwnerProof, type OwnerProof } from './proof.ts'
import { createRoles } from './role.ts'
import { captchas as captchaTable, loginFailures } from './schema.ts'
import { createSecurity } from './security.ts'
import { createSessions, type Session, type Sessions } from './sessions.ts'
import { createThrottle, forgetAccount } from './throttle.ts'
import { createTickets, type Tickets } from './tickets.ts'
import { createWechat } from './wechat.ts'
import type { WechatRoots } from './wechat-api.ts'
import { type LinkDeps, linkByTicket } from './wechat-links.ts'

export type { OwnerProof } from './proof.ts'
export { addressKey } from './throttle.ts'

export interface IdentityDeps {
  db: Db
  clock: Clock
  hasher: Hasher
  secrets: Secrets
  /** TIDEGATE_LOGIN_CAPTCHA; undefined: the setting's. */
  captchaPolicy: CaptchaPolicy | undefined
  loginConfig(): Promise<LoginConfig>
  oidcConfig(): Promise<OidcConfig>
  /** null: customers cannot log in by WeChat. */
  wechatConfig(): Promise<WechatConfig | null>
  wechatRoots: WechatRoots
  /** Whether customers can make accounts by themselves. */
  registrationOpen(): Promise<boolean>
  log: Log
  /** The installation's own address; undefined: that of the request. */
  publicUrl(): string | undefined
  /** Tells an account's owner what happened to it. Never throws. */
  notify(event: SecurityEvent): void
  /** Tells a customer that a WeChat account was linked or unlinked, in the writer's transaction. */
  tellWechat: LinkDeps['tellWechat']
  generateCaptcha: CaptchaGenerator
  /** TIDEGATE_ADMIN_PASSWORD */
  adminPassword: string | undefined
}

/** See modules/customer's IdentityPort. */
interface CustomerTools {
  hash(password: string): Promise<string>
  newPassword(): string
  checkPassword: CheckPassword
  revokeAll: Sessions['revokeAll']
  forget(tx: Tx, names: string[]): Promise<void>
  redeemCaptcha(uuid: string, answer: string): Promise<boolean>
  login(tx: Tx, customerId: number, caller: Caller): Promise<{ token: string; expire: number }>
  confirm(caller: Caller, password: string): Promise<void>
  checkWechat(ticket: string): Promise<void>
  linkWechat(tx: Tx, caller: Caller, customer: { customerId: number; name: string }, ticket: string): Promise<void>
}

type Ids =
  | 'captcha'
  | keyof ReturnType<typeof createLogin>
  | keyof ReturnType<typeof createAccount>
  | keyof ReturnType<typeof createActing>
  | keyof ReturnType<typeof createMenu>
  | keyof ReturnType<typeof createAdminScreens>
  | keyof ReturnType<typeof createRoles>
  | keyof ReturnType<typeof createMenuEditor>
  | keyof ReturnType<typeof createSecurity>
  | keyof ReturnType<typeof createOidc>
  | keyof ReturnType<typeof createWechat>
  | keyof ReturnType<typeof createOthersSecurity>
  | keyof ReturnType<typeof createApiKeys>

export interface IdentityModule extends Part {
  handlers: Handlers<Ids>
  /** Whether a captcha's answer is right; either way it is used up. */
  redeemCaptcha: Captchas['redeem']
  /** null: no login, or not from this address. `looking`: does not count as a use. */
  authenticate(token: string, ip: string, looking?: boolean): Promise<Session | null>
  /** Refuses a new password that lacks what the installation asks for. */
  checkPassword: CheckPassword
  /** What the module of customers needs of accounts and logins. */
  forCustomers: CustomerTools
  /** For what a login alone is not enough for. */
  ownerProof: OwnerProof
  /** Creates the account `admin` if there is none; true when it did. Throws when it has no password for it. */
  ensureFirstAdmin(): Promise<boolean>
}

/** Removes what has expired; nothing depends on it but room. */
const retention = ({ db, clock }: IdentityDeps, sessions: Sessions, tickets: Tickets): TaskKind =>
  taskKind({
    kind: 'identity.retention',
    title: { zh: '清理登录数据', en: 'Login data clean-up' },
    about: {
      zh: '删除过期的会话、登录票据、验证码与失败记录',
      en: 'Deletes expired sessions, tickets, captchas and counts of failed logins.',
    },
    cron: '7 * * * *',
    run: async () => {
      const now = clock.now()
      await sessions.removeExpired()
      await tickets.removeExpired()
      await db.delete(captchaTable).where(lt(captchaTable.expiresAt, new Date(now)))
      await db.delete(loginFailures).where(lt(loginFailures.failedAt, new Date(now - LOGIN_WINDOW * 1000)))
      return undefined
    },
  })

export const createIdentityModule = (deps: IdentityDeps): IdentityModule => {
  const sessions = createSessions(deps.db, deps.clock)
  const throttle = createThrottle(deps.db, deps.clock)
  const captchas = createCaptchas({ ...deps, key: deps.secrets.derive('captcha'), generate: deps.generateCaptcha })
  const tickets = createTickets(deps.db, deps.clock)
  const guard = createGuard(deps)
  const inner = {
    ...deps,
    sessions,
    throttle,
    captchas,
    tickets,
    guard,
    factors: createFactors(deps),
    passkeys: createPasskeys(deps),
    checkPassword: createPasswordCheck(async () => (await deps.loginConfig()).password),
    mustAllowAddress: guard.mustAllowAddress,
    captchaPolicy: async () => deps.captchaPolicy ?? (await deps.loginConfig()).captcha,
  }
  const authenticate = async (token: string, ip: string, looking = false): Promise<Session | null> => {
    if (isApiKey(token)) return authenticateKey(inner, token, ip, looking)
    const session = await sessions.authenticate(token, looking)
    return session && guard.admit(session, ip)
  }
  return {
    name: 'identity',
    handlers: {
      captcha: ({ uuid }) => captchas.issue(uuid),
      ...createLogin(inner),
      ...createAccount(inner),
      ...createActing(inner),
      ...createMenu(deps.db),
      ...createAdminScreens(inner),
      ...createRoles(deps.db),
      ...createMenuEditor(deps.db),
      ...createSecurity(inner),
      ...createOidc(inner),
      ...createWechat(inner),
      ...createOthersSecurity(inner),
      ...createApiKeys(inner),
    },
    redeemCaptcha: captchas.redeem,
    authenticate,
    checkPassword: inner.checkPassword,
    ownerProof: createOwnerProof(inner),
    forCustomers: {
      hash: deps.hasher.hash,
      newPassword,
      checkPassword: inner.checkPassword,
      revokeAll: sessions.revokeAll,
      forget: (tx, names) => forgetAccount(tx, { kind: 'user', names }),
      redeemCaptcha: captchas.redeem,
      login: async (tx, id, caller) => {
        await noteLogin(tx, { kind: 'user', id }, deps.clock.now(), caller.ip)
        return sessions.create(tx, { kind: 'user', id }, caller)
      },
      confirm: async (caller, password) => {
        const { account, attempt } = await provePassword(inner, caller, password)
        await attempt.succeeded(deps.db, account)
      },
      checkWechat: async (ticket) => {
        if ((await tickets.attempt('wechat-bind', ticket)) === null) throw new AppError('ticket_expired')
      },
      linkWechat: (tx, caller, customer, ticket) => linkByTicket(inner, tx, caller, customer, ticket),
    },
    exports: [adminExport, roleExport],
    ensureFirstAdmin: () => ensureFirstAdmin(inner, deps.adminPassword),
    tasks: [retention(deps, sessions, tickets)],
    commands: {
      'admin reset-password': resetPasswordCommand(inner, deps.adminPassword),
      'admin unlock': unlockCommand(inner),
    },
  }
}
