/** What the certificate module is given, and the forms that its parts share. */
import type { CertFaultKey, CertNote, CertOrderReason, CertStep, CertWarningKey } from '@tidegate/contract/cert'
import type { Lang } from '@tidegate/contract/enums'
import type { FeedbackRow } from '@tidegate/contract/operations/push'
import type { Clock } from '../../platform/clock.ts'
import type { PushRef, Touch, WithConfigChange } from '../../platform/config-change.ts'
import type { Database, Tx } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Resolve } from './dns.ts'
import type { TellOfCerts } from './expiry.ts'

export interface CertModuleDeps {
  database: Database
  withConfigChange: WithConfigChange
  secrets: Secrets
  clock: Clock
  log: Log
  /** IANA name. */
  timeZone: () => string
  /** The installation's own address; undefined: none was set. */
  publicUrl(): string | undefined
  tell: TellOfCerts
  defaultLang(): Promise<Lang>
  /** Every node's answer to a revision; null = there is no such revision any more. */
  answersTo(ref: PushRef): Promise<FeedbackRow[] | null>
  /** Gives a certificate to sites (those that are still there); answers how many took it. */
  bindCert(tx: Tx, touch: Touch, change: { siteIds: number[]; certId: number; by: string }): Promise<number>
  /** What DNS says of a name; tests put their own in. */
  resolve?: Resolve
}

/** An order as its row has it. */
export interface StoredOrder {
  id: number
  certId: number
  authorityId: number
  reason: CertOrderReason
  by: string
  names: string[]
  siteIds: number[]
  step: CertStep
  replaces: string
  orderUrl: string
  keySealed: string
  pushes: PushRef[]
  /** Milliseconds ago, by the database's clock; null = not yet. */
  publishedAge: number | null
  stepAge: number
  tries: number
}

export type Fault = CertNote<CertFaultKey>
export type Warning = CertNote<CertWarningKey>

export const orderKeyAad = (id: number) => `cert_order ${id} key`
