/** The door for configuration changes (platform/config-change.ts): the writer's rows and the new revisions are one transaction. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { ChangeMeta, PushRef, Touch, WithConfigChange } from '../../platform/config-change.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { row, sqlState } from '../../platform/query.ts'

/** Deadlock, serialization failure: the transaction left nothing behind and may run again. */
const AGAIN = new Set(['40P01', '40001'])
const TRIES = 4

/**
 * Revisions of a scope are allocated at the end of the transaction under the lock of the scope's row, scopes in sorted order: gapless,
 * and in the order of their commits. A writer that touches nothing makes no revision.
 */
export const createWithConfigChange =
  (db: Db): WithConfigChange =>
  async (meta, work) => {
    for (let tries = 1; ; tries++) {
      try {
        return await db.transaction((tx) => change(tx, meta, work))
      } catch (error) {
        if (tries >= TRIES || !AGAIN.has(sqlState(error) ?? '')) throw error
      }
    }
  }

const change = async <T>(tx: Tx, meta: ChangeMeta, work: (tx: Tx, touch: Touch) => Promise<T>) => {
  const id = randomUUID()
  await tx.execute(sql`SELECT set_config('tidegate.change', ${id}, true)`)
  const touched = new Map<string, Set<string>>()
  const result = await work(tx, (scope, kind, key) => {
    const set = touched.get(scope) ?? new Set()
    touched.set(scope, set.add(`${kind} ${key}`))
  })
  const push: PushRef[] = []
  for (const scope of [...touched.keys()].sort()) {
    const revision = await allocate(tx, scope)
    await tx.execute(sql`INSERT INTO config_revision (scope, revision, reason, subject, by_name, change, touched, forced)
      VALUES (${scope}, ${revision}, ${meta.reason}, ${meta.subject}, ${meta.by}, ${id}::uuid,
        ${JSON.stringify([...(touched.get(scope) ?? [])].sort())}::jsonb, ${meta.reason === 'push'})`)
    await tx.execute(sql`SELECT pg_notify('config_pending', ${scope})`)
    push.push({ scope, revision })
  }
  return { result, push }
}

const allocate = async (tx: Tx, scope: string): Promise<number> => {
  const got = await row<{ head: number }>(
    tx,
    sql`INSERT INTO config_scope (scope, head) VALUES (${scope}, 1)
      ON CONFLICT (scope) DO UPDATE SET head = config_scope.head + 1 RETURNING head`,
  )
  if (!got) throw new Error('no revision allocated')
  return got.head
}
