/** The audit log: append-only rows, written in the writer's own transaction. */

import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import type { Part } from '../../platform/part.ts'
import { auditExport, ownLogExport, userLogExport } from './export.ts'
import {
  auditFilters,
  auditInfo,
  listAudit,
  listOwnLog,
  listUserLog,
  ofCustomer,
  ownActions,
  SCOPES,
  userActions,
} from './list.ts'
import { asSeenBy } from './own.ts'

export interface AuditEntry {
  /** Operation id, e.g. `site.save`. */
  action: string
  /** `site 12` */
  target: string
  /** Without secrets. */
  before?: unknown
  after?: unknown
}

/** Writes one row. `caller` null = the system itself. */
export const audit = async (tx: Queryable, caller: Caller | null, entry: AuditEntry): Promise<void> => {
  await tx.execute(sql`INSERT INTO audit_log (actor_kind, actor_id, actor_name, ip, user_agent, request_id, action, target, before, after,
      acting_id, acting_name)
    VALUES (${caller?.kind ?? 'system'}, ${caller?.id ?? 0}, ${caller?.name ?? 'system'}, ${caller?.ip ?? ''}, ${caller?.userAgent ?? ''},
      ${caller?.requestId ?? ''}, ${entry.action}, ${entry.target}, ${json(entry.before)}::jsonb, ${json(entry.after)}::jsonb,
      ${caller?.acting?.id ?? null}, ${caller?.acting?.name ?? ''})`)
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** The screens' side of the log: reading only. */
export const auditPart = (db: Db): Part => ({
  name: 'audit',
  exports: [auditExport, userLogExport, ownLogExport],
  handlers: {
    'audit.list': (input) => listAudit(db, input, SCOPES.admins),
    'audit.info': ({ id }) => auditInfo(db, id, SCOPES.admins),
    'audit.filters': () => auditFilters(db),
    'userLog.list': (input) => listUserLog(db, input),
    // A customer's tab shows what was done to the account too.
    'userLog.info': ({ id }) => auditInfo(db, id, sql`(${SCOPES.users} OR l.target LIKE 'customer %')`),
    'userLog.filters': async () => ({ data: { actions: await userActions(db) } }),
    'ownLog.list': (input, caller) => listOwnLog(db, input, caller),
    'ownLog.info': async ({ id }, caller) => {
      const { data } = await auditInfo(db, id, ofCustomer(caller.id))
      return { data: asSeenBy(caller, data) }
    },
    'ownLog.filters': async (_input, caller) => ({ data: { actions: await ownActions(db, caller.id) } }),
  },
})
