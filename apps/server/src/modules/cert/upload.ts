/** Uploading certificates, and deleting them. */
import type { InputOf } from '@tidegate/contract/operations/index'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { ownerOf, reachable } from '../../platform/owner.ts'
import { row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { OrderFault } from './acme/errors.ts'
import { withdrawAnswers } from './challenges.ts'
import type { CertModuleDeps } from './deps.ts'
import { contentOf, touchUsers } from './finish.ts'
import { endOrder } from './orders.ts'
import { parseCert } from './parse.ts'
import { moveCert } from './status.ts'

interface CertSummary {
  id: number
  remark: string
  status: string
  names: string[]
  fingerprint: string
  notAfter: string | null
}

const lock = (tx: Tx, id: number, caller: Caller) =>
  row<CertSummary>(
    tx,
    sql`SELECT id, remark, status, names, fingerprint, not_after AS "notAfter" FROM cert
        WHERE id = ${id} AND ${reachable(caller, sql`user_id`)} FOR UPDATE`,
  )

/** The row comes first: the key is sealed for it. A certificate keeps its owner when it is replaced. */
const insert = async (tx: Tx, owner: number | null): Promise<number> => {
  const made = await row<{ id: number }>(
    tx,
    sql`INSERT INTO cert (user_id, names, issuer, fingerprint, not_after, cert_pem, key_sealed)
        VALUES (${owner}, '{}', '', '', now(), '', '') RETURNING id`,
  )
  if (!made) throw new Error('no certificate was inserted')
  return made.id
}

/** A new certificate, or with an id what takes the place of one: every scope whose sites use it publishes. What was applied for is applied for no more. */
export const upload = async (deps: CertModuleDeps, input: InputOf<'cert.save'>, caller: Caller) => {
  const parsed = parseCert(input.certPem, input.keyPem, deps.clock.now())
  if (Array.isArray(parsed)) throw new AppError('invalid_input', { fields: parsed })
  const meta = { reason: 'cert', subject: parsed.names[0] ?? '', by: caller.name } as const
  const { result, push } = await deps.withConfigChange(meta, async (tx, touch) => {
    const before = input.id === undefined ? undefined : await lock(tx, input.id, caller)
    if (input.id !== undefined && !before) throw new AppError('not_found')
    const id = before?.id ?? (await insert(tx, ownerOf(caller)))
    if (before) {
      const running = await row<{ id: number }>(
        tx,
        sql`SELECT id FROM cert_order WHERE cert_id = ${id} AND ended_at IS NULL`,
      )
      if (running) {
        await endOrder(tx, running.id, { fault: new OrderFault('withdrawn') }, deps.clock.now())
        await withdrawAnswers(tx, touch, running.id)
      }
    }
    const content = sql`${contentOf(deps, id, parsed)}, remark = ${input.remark}`
    await moveCert(tx, id, 'own', deps.clock.now(), content)
    await touchUsers(tx, touch, id)
    const { fingerprint, names, notAfter } = parsed
    const after = { id, remark: input.remark, names, fingerprint, notAfter: notAfter.toISOString() }
    await audit(tx, caller, { action: 'cert.save', target: `cert ${id}`, before, after })
    return id
  })
  return { id: result, push }
}

/** Refused while a site uses one. An order that is under way is given up, and its answers leave the edges. */
export const removeCerts = async (deps: CertModuleDeps, ids: number[], caller: Caller) => {
  await deps.withConfigChange({ reason: 'cert', subject: '', by: caller.name }, async (tx, touch) => {
    for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
      const before = await lock(tx, id, caller)
      if (!before) throw new AppError('not_found')
      if (await row(tx, sql`SELECT id FROM site WHERE cert_id = ${id} LIMIT 1`)) throw new AppError('in_use')
      const running = await row<{ id: number }>(
        tx,
        sql`SELECT id FROM cert_order WHERE cert_id = ${id} AND ended_at IS NULL`,
      )
      if (running) await withdrawAnswers(tx, touch, running.id)
      await tx.execute(sql`DELETE FROM cert WHERE id = ${id}`)
      await audit(tx, caller, { action: 'cert.delete', target: `cert ${id}`, before })
    }
  })
  return {}
}
