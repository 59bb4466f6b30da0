/** Customers: their accounts as the operator and as they themselves see them, registration, real names. */
import type { IdentityVerdict } from '@tidegate/contract/config/services'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Queryable, Tx } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Part } from '../../platform/part.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { CodePort } from './code-port.ts'
import { customerExport } from './export.ts'
import { bind, handInRealName, mayAddDomains, profileOf, sendBindCode, standingOf } from './profile.ts'
import { customerCounts, customerDetail, customerScreens, listCustomers } from './read.ts'
import { register, resetForgotten, sendForgotCode, sendRegisterCode } from './register.ts'
import {
  createCustomer,
  deleteCustomers,
  enableCustomers,
  noteCustomer,
  resetPassword,
  updateCustomer,
  verifyCustomer,
} from './write.ts'

export type { CodeOrder, CodePort, CodeTarget } from './code-port.ts'

/** What the installation asks of customers. */
export interface CustomerRules {
  /** Nobody can register. */
  closed: boolean
  byMail: boolean
  byMobile: boolean
  /** Asked for before domains are added. */
  forceRealName: boolean
  forcePhone: boolean
}

/** What this module needs of modules/identity. */
export interface IdentityPort {
  hash(password: string): Promise<string>
  newPassword(): string
  /** Throws the error of the field `path` when a new password lacks what the installation asks for. */
  checkPassword(path: string, password: string): Promise<void>
  revokeAll(tx: Tx, owner: { kind: 'user'; id: number }): Promise<void>
  /** Failed logins under these names no longer count. */
  forget(tx: Tx, names: string[]): Promise<void>
  redeemCaptcha(uuid: string, answer: string): Promise<boolean>
  /** Logs the customer in. */
  login(tx: Tx, customerId: number, caller: Caller): Promise<{ token: string; expire: number }>
  /** Throws unless it is the caller's present password; wrong tries count like failed logins. */
  confirm(caller: Caller, password: string): Promise<void>
  /** Throws `ticket_expired` unless the ticket of a WeChat account is good still. */
  checkWechat(ticket: string): Promise<void>
  /** Links the WeChat account of the ticket; throws `ticket_expired`, `wechat_taken`. */
  linkWechat(tx: Tx, caller: Caller, customer: { customerId: number; name: string }, ticket: string): Promise<void>
}

/** What this module needs of modules/realname. */
export interface RealNamePort {
  /** null: no identity API is set up. Throws `identity_limit`. */
  check(customerId: number, person: { realName: string; idCard: string }): Promise<IdentityVerdict | null>
}

export interface CustomerDeps {
  db: Db
  clock: Clock
  log: Log
  secrets: Secrets
  identity: IdentityPort
  codes: CodePort
  realNames: RealNamePort
  rules(): Promise<CustomerRules>
  /** Tells a customer that the account was disabled, if `tx` commits. */
  tellDisabled(tx: Tx, customerId: number): Promise<void>
  /** Tells a customer that a new password was set by a code, if `tx` commits. */
  tellPassword(tx: Tx, customer: Caller): Promise<void>
}

type Ids =
  | 'customer.list'
  | 'customer.info'
  | 'customer.options'
  | 'customer.save'
  | 'customer.update'
  | 'customer.enable'
  | 'customer.note'
  | 'customer.delete'
  | 'customer.password'
  | 'customer.verify'
  | 'profile.info'
  | 'profile.realName'
  | 'profile.code'
  | 'profile.bind'
  | 'register.info'
  | 'register.code'
  | 'register.save'
  | 'forgot.send'
  | 'forgot.reset'

export interface CustomerModule extends Part {
  handlers: Handlers<Ids>
  /** See `SiteModuleDeps`. */
  mayAddDomains(on: Queryable, customerId: number): Promise<void>
  /** All customers, and those whose account is enabled. */
  counts(): Promise<{ used: number; active: number }>
  /** See modules/overview. */
  standing(customerId: number): ReturnType<typeof standingOf>
}

const handlers = (deps: CustomerDeps): Handlers<Ids> => ({
  'customer.list': (input) => listCustomers(deps.db, input),
  'customer.info': ({ id }) => customerDetail(deps.db, deps.secrets, id),
  'customer.options': () => customerScreens(deps.db),
  'customer.save': (input, caller) => createCustomer(deps, input, caller),
  'customer.update': (input, caller) => updateCustomer(deps, input, caller),
  'customer.enable': ({ ids, enabled }, caller) => enableCustomers(deps, ids, enabled, caller),
  'customer.note': ({ id, note }, caller) => noteCustomer(deps, id, note, caller),
  'customer.delete': ({ ids }, caller) => deleteCustomers(deps, ids, caller),
  'customer.password': ({ id, newPassword }, caller) => resetPassword(deps, id, newPassword, caller),
  'customer.verify': (input, caller) => verifyCustomer(deps, input, caller),
  'profile.info': (_input, caller) => profileOf(deps, caller),
  'profile.realName': (input, caller) => handInRealName(deps, input, caller),
  'profile.code': (input, caller) => sendBindCode(deps, input, caller),
  'profile.bind': (input, caller) => bind(deps, input, caller),
  'register.info': async () => {
    const { closed, byMail, byMobile } = await deps.rules()
    return { data: { closed, byMail, byMobile } }
  },
  'register.code': (input, caller) => sendRegisterCode(deps, input, caller),
  'register.save': (input, caller) => register(deps, input, caller),
  'forgot.send': (input, caller) => sendForgotCode(deps, input, caller),
  'forgot.reset': (input, caller) => resetForgotten(deps, input, caller),
})

export const createCustomerModule = (deps: CustomerDeps): CustomerModule => ({
  name: 'customer',
  exports: [customerExport],
  handlers: handlers(deps),
  mayAddDomains: (on, customerId) => mayAddDomains(deps, on, customerId),
  counts: () => customerCounts(deps.db),
  standing: (customerId) => standingOf(deps, deps.db, customerId),
})
