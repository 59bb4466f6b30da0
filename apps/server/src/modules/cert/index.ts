/** Certificates: uploaded, listed, deleted. Their keys are sealed at rest and never part of an answer. */

import { CERT_SOON_DAYS } from '@tidegate/contract/limits'
import type { InputOf } from '@tidegate/contract/operations/index'
import { sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { groupScope, type WithConfigChange } from '../../platform/config-change.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { ownerOf, reachable, within } from '../../platform/owner.ts'
import { contains, page } from '../../platform/page.ts'
import { iso, row, rows } from '../../platform/query.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { TaskKind } from '../../platform/task.ts'
import { audit } from '../audit/index.ts'
import { expiryTask, type TellOfCerts } from './expiry.ts'
import { type ParsedCert, parseCert } from './parse.ts'

export type { TellOfCerts } from './expiry.ts'

export interface CertModuleDeps {
  db: Db
  withConfigChange: WithConfigChange
  secrets: Secrets
  clock: Clock
  /** IANA name. */
  timeZone: () => string
  /** The installation's own address; undefined: that of the request. */
  publicUrl(): string | undefined
  tell: TellOfCerts
}

const DAY_MS = 86_400_000

export interface CertCounts {
  total: number
  expiring: number
  expired: number
}

export interface CertModule {
  handlers: Handlers<'cert.save' | 'cert.list' | 'cert.delete'>
  /**
   * All; those that a site uses and that end within 14 days, and how many of them have ended.
   * `owner`: of this customer only; null = of all.
   */
  counts(owner?: number | null): Promise<CertCounts>
  tasks: readonly TaskKind[]
}

export const createCertModule = (deps: CertModuleDeps): CertModule => ({
  counts: (owner = null) => counts(deps, owner),
  tasks: [expiryTask(deps)],
  handlers: {
    'cert.save': (input, caller) => save(deps, input, caller),
    'cert.list': (input, caller) => list(deps.db, input, caller),
    'cert.delete': async ({ ids }, caller) => {
      await deps.db.transaction((tx) => remove(tx, ids, caller))
      return {}
    },
  },
})

/** A new certificate, or with an id its renewal: every scope whose sites use it publishes. */
const save = async (deps: CertModuleDeps, input: InputOf<'cert.save'>, caller: Caller) => {
  const parsed = parseCert(input.certPem, input.keyPem, deps.clock.now())
  if (Array.isArray(parsed)) throw new AppError('invalid_input', { fields: parsed })
  const meta = { reason: 'cert', subject: parsed.names[0] ?? '', by: caller.name } as const
  const { result, push } = await deps.withConfigChange(meta, async (tx, touch) => {
    const before = input.id === undefined ? undefined : await lock(tx, input.id, caller)
    if (input.id !== undefined && !before) throw new AppError('not_found')
    const id = before?.id ?? (await nextId(tx))
    await write(deps, tx, { id, owner: ownerOf(caller), remark: input.remark }, parsed)
    const groups = await rows<{ id: number }>(
      tx,
      sql`SELECT DISTINCT group_id AS id FROM site WHERE cert_id = ${id} ORDER BY group_id`,
    )
    for (const group of groups) touch(groupScope(group.id), 'cert', String(id))
    const { fingerprint, names, notAfter } = parsed
    const after = { id, remark: input.remark, names, fingerprint, notAfter: notAfter.toISOString() }
    await audit(tx, caller, { action: 'cert.save', target: `cert ${id}`, before, after })
    return id
  })
  return { id: result, push }
}

interface CertSummary {
  id: number
  remark: string
  names: string[]
  fingerprint: string
  notAfter: string
}

const lock = (tx: Tx, id: number, caller: Caller) =>
  row<CertSummary>(
    tx,
    sql`SELECT id, remark, names, fingerprint, not_after AS "notAfter" FROM cert
        WHERE id = ${id} AND ${reachable(caller, sql`user_id`)} FOR UPDATE`,
  )

/** The key is sealed for its row, so the row's id is needed first. */
const nextId = async (tx: Tx): Promise<number> => {
  const next = await row<{ id: number }>(tx, sql`SELECT nextval(pg_get_serial_sequence('cert', 'id')) AS id`)
  if (!next) throw new Error('no id for a certificate')
  return next.id
}

/** A certificate keeps its owner when it is renewed. */
const write = async (
  { secrets }: CertModuleDeps,
  tx: Tx,
  { id, owner, remark }: { id: number; owner: number | null; remark: string },
  cert: ParsedCert,
) => {
  await tx.execute(sql`INSERT INTO cert (id, user_id, remark, names, issuer, fingerprint, not_after, cert_pem, key_sealed)
    VALUES (${id}, ${owner}, ${remark}, ${sql.param(cert.names)}::text[], ${cert.issuer}, ${cert.fingerprint}, ${cert.notAfter.toISOString()}::timestamptz,
      ${cert.certPem}, ${secrets.seal(cert.keyPem, `cert ${id} key`)})
    ON CONFLICT (id) DO UPDATE SET remark = excluded.remark, names = excluded.names, issuer = excluded.issuer, fingerprint = excluded.fingerprint,
      not_after = excluded.not_after, cert_pem = excluded.cert_pem, key_sealed = excluded.key_sealed, updated_at = now()`)
}

const list = async (db: Db, input: InputOf<'cert.list'>, caller: Caller) => {
  const named = input.key
    ? sql`(array_to_string(c.names, ' ') ILIKE ${contains(input.key)} OR c.remark ILIKE ${contains(input.key)})`
    : sql`true`
  const where = sql`${named} AND ${reachable(caller, sql`c.user_id`)}`
  const order = input.sidx === 'notAfter' ? sql`c.not_after` : sql`c.id`
  const direction = input.order === 'asc' ? sql`ASC` : sql`DESC`
  const count = await row<{ n: number }>(
    db,
    sql`SELECT count(*) AS n FROM (SELECT FROM cert c WHERE ${where} LIMIT 10001) x`,
  )
  const found = await rows<{
    id: number
    remark: string
    names: string[]
    issuer: string
    notAfter: string
    sites: number
  }>(
    db,
    sql`SELECT c.id, c.remark, c.names, c.issuer, c.not_after AS "notAfter",
          (SELECT count(*) FROM site s WHERE s.cert_id = c.id) AS sites
        FROM cert c WHERE ${where} ORDER BY ${order} ${direction}, c.id ${direction}
        LIMIT ${input.limit} OFFSET ${(input.page - 1) * input.limit}`,
  )
  return page(
    input,
    count?.n ?? 0,
    found.map((c) => ({ ...c, notAfter: iso(c.notAfter) })),
  )
}

const remove = async (tx: Tx, ids: number[], caller: Caller) => {
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const before = await lock(tx, id, caller)
    if (!before) throw new AppError('not_found')
    if (await row(tx, sql`SELECT id FROM site WHERE cert_id = ${id} LIMIT 1`)) throw new AppError('in_use')
    await tx.execute(sql`DELETE FROM cert WHERE id = ${id}`)
    await audit(tx, caller, { action: 'cert.delete', target: `cert ${id}`, before })
  }
}

const counts = async ({ db, clock }: CertModuleDeps, owner: number | null): Promise<CertCounts> => {
  const now = clock.now()
  const at = (ms: number) => sql`c.not_after < ${new Date(ms).toISOString()}::timestamptz`
  const found = await row<{ total: number; expiring: number; expired: number }>(
    db,
    sql`SELECT count(*) AS total, count(*) FILTER (WHERE ends) AS expiring, count(*) FILTER (WHERE ends AND ended) AS expired
        FROM (SELECT ${at(now)} AS ended,
                ${at(now + CERT_SOON_DAYS * DAY_MS)} AND EXISTS (SELECT FROM site s WHERE s.cert_id = c.id AND s.enabled) AS ends
              FROM cert c WHERE ${within(owner, sql`c.user_id`)}) x`,
  )
  const { total = 0, expiring = 0, expired = 0 } = found ?? {}
  return { total, expiring, expired }
}
