/** Applying for certificates, by hand: for names of sites that the caller reaches. */
import { CERT_ORDERABLE, CERT_ORDERS_PER_HOUR, certStatus, type StoredCertStatus } from '@tidegate/contract/cert'
import type { InputOf } from '@tidegate/contract/operations/index'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Queryable, Tx } from '../../platform/db.ts'
import { AppError, type FieldFault } from '../../platform/errors.ts'
import { ownerOf, reachable } from '../../platform/owner.ts'
import { row, rows } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { ariId } from './acme/request.ts'
import { chooseAuthority } from './authority.ts'
import type { CertModuleDeps } from './deps.ts'
import { startOrder } from './orders.ts'

interface Named {
  domain: string
  siteId: number
  userId: number | null
}

/** The sites of names; throws field errors for those that are nobody's or not the caller's. */
const sitesOf = async (tx: Tx, names: readonly string[], caller: Caller): Promise<Named[]> => {
  const found = await rows<Named>(
    tx,
    sql`SELECT d.domain, s.id AS "siteId", s.user_id AS "userId" FROM site_domain d JOIN site s ON s.id = d.site_id
        WHERE d.domain = ANY (${sql.param([...names])}::text[]) AND ${reachable(caller, sql`s.user_id`)}`,
  )
  const known = new Set(found.map((one) => one.domain))
  const fields = names.flatMap((value, i): FieldFault[] =>
    known.has(value) ? [] : [{ path: `names.${i}`, key: 'purge_foreign', params: { value } }],
  )
  if (fields.length > 0) throw new AppError('invalid_input', { fields })
  return found
}

const HOUR_MS = 3_600_000

/** Throws `too_many` for a customer who began as many orders as there may be in an hour. */
const checkRate = async (tx: Tx, caller: Caller, now: number): Promise<void> => {
  const owner = ownerOf(caller)
  if (owner === null) return
  const recent = await rows<{ at: string }>(
    tx,
    sql`SELECT o.created_at AS at FROM cert_order o JOIN cert c ON c.id = o.cert_id
        WHERE c.user_id = ${owner} AND o.created_at > ${new Date(now - HOUR_MS).toISOString()}::timestamptz
        ORDER BY o.created_at DESC LIMIT ${CERT_ORDERS_PER_HOUR}`,
  )
  const oldest = recent[CERT_ORDERS_PER_HOUR - 1]
  if (!oldest) return
  const seconds = Math.ceil((new Date(oldest.at).getTime() + HOUR_MS - now) / 1000)
  throw new AppError('too_many', { params: { seconds: Math.max(1, seconds) } })
}

/** Whose the certificate is: the customer's whose sites all the names are, else nobody's. */
const ownerOfAll = (sites: readonly Named[], caller: Caller): number | null => {
  const owners = new Set(sites.map((site) => site.userId))
  return ownerOf(caller) ?? (owners.size === 1 ? ([...owners][0] ?? null) : null)
}

export const apply = (deps: CertModuleDeps, input: InputOf<'cert.apply'>, caller: Caller) =>
  deps.database.db.transaction(async (tx) => {
    const sites = await sitesOf(tx, input.names, caller)
    await checkRate(tx, caller, deps.clock.now())
    const authorityId = await chooseAuthority(tx, input.authorityId)
    const owner = ownerOfAll(sites, caller)
    const { names, remark, autoRenew } = input
    const made = await row<{ id: number }>(
      tx,
      sql`INSERT INTO cert (user_id, remark, names, issuer, fingerprint, cert_pem, key_sealed, status, authority_id, auto_renew)
          VALUES (${owner}, ${remark}, ${sql.param(names)}::text[], '', '', '', '', 'unapplied', ${authorityId}, ${autoRenew}) RETURNING id`,
    )
    if (!made) throw new Error('no certificate was inserted')
    const siteIds = input.bind ? [...new Set(sites.map((site) => site.siteId))].sort((a, b) => a - b) : []
    const order = {
      certId: made.id,
      authorityId,
      reason: 'apply',
      by: caller.name,
      names,
      siteIds,
      replaces: '',
    } as const
    await startOrder(tx, order, deps.clock.now())
    await audit(tx, caller, {
      ...{ action: 'cert.apply', target: `cert ${made.id}` },
      after: { id: made.id, names, authorityId, owner, siteIds, remark, autoRenew },
    })
    return { id: made.id }
  })

interface Orderable {
  id: number
  userId: number | null
  status: StoredCertStatus
  notAfter: string | null
  names: string[]
  certPem: string
  authorityId: number | null
}

export const lockOrderable = (tx: Tx, id: number, reach: ReturnType<typeof sql>) =>
  row<Orderable>(
    tx,
    sql`SELECT id, user_id AS "userId", status, not_after AS "notAfter", names, cert_pem AS "certPem", authority_id AS "authorityId"
        FROM cert WHERE id = ${id} AND ${reach} FOR UPDATE`,
  )

/** Those of the names that sites still have, for the owner of the certificate. */
const keptNames = async (on: Queryable, cert: Orderable): Promise<string[]> => {
  const found = await rows<{ domain: string }>(
    on,
    sql`SELECT d.domain FROM site_domain d JOIN site s ON s.id = d.site_id WHERE d.domain = ANY (${sql.param(cert.names)}::text[])
          AND (${cert.userId}::bigint IS NULL OR s.user_id = ${cert.userId}) ORDER BY d.domain`,
  )
  return found.map(({ domain }) => domain)
}

/** Sites that the failed order would have given the certificate to. */
const wantedSites = async (on: Queryable, certId: number): Promise<number[]> => {
  const last = await row<{ siteIds: number[] }>(
    on,
    sql`SELECT site_ids AS "siteIds" FROM cert_order WHERE cert_id = ${certId} ORDER BY id DESC LIMIT 1`,
  )
  return last?.siteIds ?? []
}

/** Begins an order for a certificate that is there, or that could not be had. The row is locked. Throws where its state or names do not allow it. */
export const orderAgain = async (deps: CertModuleDeps, tx: Tx, cert: Orderable, by: string): Promise<number> => {
  const now = deps.clock.now()
  const status = certStatus(cert.status, cert.notAfter === null ? null : new Date(cert.notAfter).getTime(), now)
  if (await row(tx, sql`SELECT id FROM cert_order WHERE cert_id = ${cert.id} AND ended_at IS NULL`))
    throw new AppError('cert_running')
  if (cert.authorityId === null || !CERT_ORDERABLE.includes(status)) throw new AppError('cert_move')
  const names = await keptNames(tx, cert)
  if (names.length === 0) throw new AppError('cert_names_gone')
  const isFirst = cert.notAfter === null
  const order = {
    ...{ certId: cert.id, authorityId: cert.authorityId, by, names },
    reason: isFirst ? 'apply' : 'renew',
    siteIds: isFirst ? await wantedSites(tx, cert.id) : [],
    replaces: isFirst ? '' : ariId(cert.certPem),
  } as const
  return startOrder(tx, order, now)
}

export const renewByHand = (deps: CertModuleDeps, id: number, caller: Caller) =>
  deps.database.db.transaction(async (tx) => {
    const cert = await lockOrderable(tx, id, reachable(caller, sql`user_id`))
    if (!cert) throw new AppError('not_found')
    await checkRate(tx, caller, deps.clock.now())
    const order = await orderAgain(deps, tx, cert, caller.name)
    await audit(tx, caller, { action: 'cert.renew', target: `cert ${id}`, after: { id, order } })
    return {}
  })

export const edit = (deps: CertModuleDeps, input: InputOf<'cert.edit'>, caller: Caller) =>
  deps.database.db.transaction(async (tx) => {
    const before = await row<{ id: number; remark: string; autoRenew: boolean }>(
      tx,
      sql`SELECT id, remark, auto_renew AS "autoRenew" FROM cert WHERE id = ${input.id} AND ${reachable(caller, sql`user_id`)} FOR UPDATE`,
    )
    if (!before) throw new AppError('not_found')
    const after = { ...before, remark: input.remark ?? before.remark, autoRenew: input.autoRenew ?? before.autoRenew }
    await tx.execute(
      sql`UPDATE cert SET remark = ${after.remark}, auto_renew = ${after.autoRenew}, updated_at = now() WHERE id = ${input.id}`,
    )
    await audit(tx, caller, { action: 'cert.edit', target: `cert ${input.id}`, before, after })
    return {}
  })
