/** The audit log: append-only rows, written in the writer's own transaction. */
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import type { Part } from '../../platform/part.ts'
import { auditExport } from './export.ts'
import { auditFilters, auditInfo, listAudit } from './list.ts'

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
  await tx.execute(sql`INSERT INTO audit_log (actor_kind, actor_id, actor_name, ip, user_agent, request_id, action, target, before, after)
    VALUES (${caller?.kind ?? 'system'}, ${caller?.id ?? 0}, ${caller?.name ?? 'system'}, ${caller?.ip ?? ''}, ${caller?.userAgent ?? ''},
      ${caller?.requestId ?? ''}, ${entry.action}, ${entry.target}, ${json(entry.before)}::jsonb, ${json(entry.after)}::jsonb)`)
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** The screens' side of the log: reading only. */
export const auditPart = (db: Db): Part => ({
  name: 'audit',
  exports: [auditExport],
  handlers: {
    'audit.list': (input) => listAudit(db, input),
    'audit.info': ({ id }) => auditInfo(db, id),
    'audit.filters': () => auditFilters(db),
  },
})
