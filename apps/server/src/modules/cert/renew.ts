/** The scheduled task that renews certificates in time: when their authority says so, else after a share of their lifetime. */
import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '../../platform/errors.ts'
import { row, rows } from '../../platform/query.ts'
import { type TaskContext, type TaskKind, taskKind } from '../../platform/task.ts'
import { type Directory, readDirectory, readRenewalInfo } from './acme/client.ts'
import { AcmeError } from './acme/errors.ts'
import { ariId } from './acme/request.ts'
import { lockOrderable, orderAgain } from './apply.ts'
import { type Authority, loadAuthority } from './authority.ts'
import type { CertModuleDeps } from './deps.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Part of the lifetime over which renewals are spread, so that what was issued on one day is not renewed in one hour. */
const JITTER = 0.03
/** How often an authority is asked, unless it says otherwise (RFC 9773, 4.3.2). */
const ARI_MS = 6 * HOUR_MS
const ARI_LEAST_MS = HOUR_MS

interface Rules {
  /** Percent of the lifetime. */
  share: number
  /** Days before the end. */
  minDays: number
}

interface Times {
  id: number
  fingerprint: string
  notBefore: number
  notAfter: number
}

/** A number from 0 up to 1 that belongs to this very certificate. */
export const fraction = (cert: Pick<Times, 'id' | 'fingerprint'>): number =>
  createHash('sha256').update(`${cert.id} ${cert.fingerprint}`).digest().readUInt32BE() / 2 ** 32

/** When a certificate is to be renewed, Unix ms. The authority's own time comes first, but never a later one than the least days before the end allow. */
export const renewTime = (cert: Times, rules: Rules, ariAt: number | null): number => {
  const life = cert.notAfter - cert.notBefore
  // Where the lifetime is short, the least days would be most of it.
  const latest = cert.notAfter - Math.min(rules.minDays * DAY_MS, life / 2)
  const usual = cert.notBefore + life * (rules.share / 100 - JITTER * fraction(cert))
  return Math.min(ariAt ?? usual, latest)
}

interface Candidate extends Times {
  authorityId: number
  ariAt: number | null
  ariNext: number
}

const ms = (column: string) => sql.raw(`(extract(epoch FROM ${column}) * 1000)::float8`)

const candidates = (deps: CertModuleDeps): Promise<Candidate[]> => {
  const now = sql`${new Date(deps.clock.now()).toISOString()}::timestamptz`
  return rows<Candidate>(
    deps.database.db,
    sql`SELECT c.id, c.fingerprint, c.authority_id AS "authorityId", ${ms('c.not_before')} AS "notBefore", ${ms('c.not_after')} AS "notAfter",
          ${ms('c.ari_at')} AS "ariAt", COALESCE(${ms('c.ari_next')}, 0) AS "ariNext"
        FROM cert c JOIN cert_authority a ON a.id = c.authority_id AND a.enabled
        WHERE c.status = 'succeeded' AND c.auto_renew AND (c.renew_after IS NULL OR c.renew_after <= ${now})
          AND NOT EXISTS (SELECT FROM cert_order o WHERE o.cert_id = c.id AND o.ended_at IS NULL)
        ORDER BY c.not_after, c.id`,
  )
}

/** Directories of this run, each read once; null where there is none, or it says nothing of renewals. */
const directories = (deps: CertModuleDeps) => {
  const known = new Map<number, Promise<{ authority: Authority; base: string } | null>>()
  const read = async (id: number) => {
    const authority = await loadAuthority(deps.database.db, id)
    if (!authority) return null
    const found: Directory | null = await readDirectory(authority).catch((error: unknown) => {
      if (error instanceof AcmeError) return null
      throw error
    })
    return found?.renewalInfo === undefined ? null : { authority, base: found.renewalInfo }
  }
  return (id: number) => {
    const asked = known.get(id) ?? read(id)
    known.set(id, asked)
    return asked
  }
}

/** Asks the authority when to renew, and notes the time within its window that falls to this certificate. */
const askAuthority = async (
  deps: CertModuleDeps,
  cert: Candidate,
  place: { authority: Authority; base: string },
): Promise<number | null> => {
  const { db } = deps.database
  const now = deps.clock.now()
  const stored = await row<{ certPem: string }>(db, sql`SELECT cert_pem AS "certPem" FROM cert WHERE id = ${cert.id}`)
  const name = stored ? ariId(stored.certPem) : ''
  if (name === '') return null
  try {
    const { start, end, retryAfter } = await readRenewalInfo(place.authority, place.base, name)
    const at = start + Math.max(0, end - start) * fraction(cert)
    const next = now + Math.max(retryAfter ?? ARI_MS, ARI_LEAST_MS)
    await db.execute(sql`UPDATE cert SET ari_at = ${new Date(at).toISOString()}::timestamptz, ari_next = ${new Date(next).toISOString()}::timestamptz
      WHERE id = ${cert.id} AND fingerprint = ${cert.fingerprint}`)
    return at
  } catch (error) {
    if (!(error instanceof AcmeError)) throw error
    return cert.ariAt
  }
}

interface Params extends Rules {
  perRun: number
}

/** Those of the candidates whose time has come. Authorities are asked about certificates in the second half of their life, a bounded number a run. */
const dueOf = async (deps: CertModuleDeps, params: Params, { signal }: TaskContext): Promise<Candidate[]> => {
  const now = deps.clock.now()
  const placeOf = directories(deps)
  const due: Candidate[] = []
  let asked = 0
  for (const cert of await candidates(deps)) {
    signal.throwIfAborted()
    let { ariAt } = cert
    const isAged = now > (cert.notBefore + cert.notAfter) / 2
    if (isAged && cert.ariNext <= now && asked < params.perRun * 10) {
      const place = await placeOf(cert.authorityId)
      if (place) {
        asked += 1
        ariAt = await askAuthority(deps, cert, place)
      }
    }
    if (renewTime(cert, params, ariAt) <= now) due.push(cert)
    if (due.length >= params.perRun) break
  }
  return due
}

const run = async (deps: CertModuleDeps, params: Params, context: TaskContext) => {
  const began = { renewals: 0, skipped: 0 }
  for (const cert of await dueOf(deps, params, context)) {
    context.signal.throwIfAborted()
    try {
      const names = await deps.database.db.transaction(async (tx) => {
        // Another run, or a person, may have begun it in the meantime.
        const found = await lockOrderable(tx, cert.id, sql`fingerprint = ${cert.fingerprint} AND auto_renew`)
        if (!found) return null
        await orderAgain(deps, tx, found, 'system')
        return found.names
      })
      if (names === null) continue
      began.renewals += 1
      context.say(`certificate ${cert.id}: ${names.slice(0, 5).join(', ')}`)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      began.skipped += 1
      context.say(`certificate ${cert.id}: ${error.key}`)
    }
  }
  return began
}

/** Begins the renewals that are due; the orders then go their way by themselves. */
export const renewTask = (deps: CertModuleDeps): TaskKind =>
  taskKind({
    kind: 'cert.renew',
    title: { zh: '证书续期', en: 'Certificate renewal' },
    about: {
      zh: '按证书机构建议的时间（ARI），或有效期过去一定比例后，为 ACME 证书申请续期；失败时保留原证书并逐渐延长重试间隔',
      en: 'Renews certificates of ACME authorities when these say so (ARI), or after a share of their lifetime. After a failure the old one stays in force, and the pauses between tries grow.',
    },
    params: z.strictObject({
      share: z.int().min(10).max(95).default(67),
      minDays: z.int().min(1).max(60).default(3),
      perRun: z.int().min(1).max(500).default(50),
    }),
    fields: {
      share: { zh: '有效期过去百分之多少后续期', en: 'Percent of the lifetime after which to renew' },
      minDays: { zh: '最迟到期前天数', en: 'Days before the end at the latest' },
      perRun: { zh: '每次最多续期张数', en: 'Most renewals in one run' },
    },
    cron: '23 * * * *',
    run: (params, context) => run(deps, params, context),
  })
