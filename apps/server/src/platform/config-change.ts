/**
 * The one door for what changes a node's configuration. A writer does its writes inside and says which resources of which scope they
 * touch; rows, audit and the new revision are one transaction, so that no write can forget to publish. `main.ts` puts the implementation
 * (modules/publish) in; nobody else imports it.
 */
import type { PushReason } from '@tidegate/contract/enums'
import type { ResourceKind } from '@tidegate/contract/node/config'
import type { Tx } from './db.ts'

export interface PushRef {
  scope: string
  revision: number
}

export interface ChangeMeta {
  reason: PushReason
  /** What it is about, for people: the site's first domain, "purge 12". */
  subject: string
  /** Who did it: account name, or "system". */
  by: string
}

/** Marks a resource of a scope ("group:1") as changed or removed. */
export type Touch = (scope: string, kind: ResourceKind, key: string) => void

export type WithConfigChange = <T>(
  meta: ChangeMeta,
  work: (tx: Tx, touch: Touch) => Promise<T>,
) => Promise<{ result: T; push: PushRef[] }>

export const groupScope = (groupId: number) => `group:${groupId}`
