/** One turn of the publisher for one scope: pending revisions -> items -> published, in one repeatable-read transaction. */
import { RESOURCE_KINDS, type ResourceKind } from '@tidegate/contract/node/config'
import type { Pool, PoolClient } from 'pg'
import { underLock } from '../../platform/advisory-lock.ts'
import { type CompileContext, type Compiled, compileKeys } from './state.ts'

/** First half of the advisory lock; the second is the scope. One process at a time publishes a scope. */
const LOCK = 7_413_100

export interface PublishDeps {
  pool: Pool
  context: CompileContext
  /** Called between the steps; tests break off there. */
  seam?: (step: 'locked' | 'compiled' | 'stored' | 'committed') => Promise<void> | void
}

interface Pending {
  revision: number
  touched: string[]
  forced: boolean
}

/** Runs `work` on a connection that holds the scope's publishing lock. */
export const underScopeLock = <T>(pool: Pool, scope: string, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  underLock(pool, [LOCK, scope], work)

/** Publishes everything that is pending in a scope; answers the published revision, or null when nothing was. */
export const publishScope = async (deps: PublishDeps, scope: string): Promise<number | null> =>
  underScopeLock(deps.pool, scope, async (client) => {
    await deps.seam?.('locked')
    let last: number | null = null
    for (;;) {
      const published = await publishOnce(deps, client, scope)
      if (published === null) return last
      last = published
      await deps.seam?.('committed')
    }
  })

const publishOnce = async (deps: PublishDeps, client: PoolClient, scope: string): Promise<number | null> => {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  const pending = await loadPending(client, scope)
  const head = pending.at(-1)?.revision
  if (head === undefined) {
    await client.query('ROLLBACK')
    return null
  }
  const compiled = await compileTouched(client, deps.context, scope, pending)
  await deps.seam?.('compiled')
  await store(client, scope, pending, compiled)
  await deps.seam?.('stored')
  await client.query(
    `INSERT INTO config_published (scope, published) VALUES ($1, $2) ON CONFLICT (scope) DO UPDATE SET published = $2`,
    [scope, head],
  )
  await client.query(`SELECT pg_notify('config_published', $1)`, [`${scope} ${head}`])
  await client.query('COMMIT')
  return head
}

const loadPending = async (client: PoolClient, scope: string): Promise<Pending[]> => {
  const { rows } = await client.query<Pending>(
    `SELECT revision, touched, forced FROM config_revision
     WHERE scope = $1 AND revision > COALESCE((SELECT published FROM config_published WHERE scope = $1), 0) ORDER BY revision`,
    [scope],
  )
  return rows
}

interface Touched {
  revision: number
  forced: boolean
}

/** The latest pending revision of each touched resource. */
const latestTouches = (pending: Pending[]): Map<string, Touched> => {
  const touches = new Map<string, Touched>()
  for (const { revision, touched, forced } of pending)
    for (const name of touched) touches.set(name, { revision, forced: forced || touches.get(name)?.forced === true })
  return touches
}

const compileTouched = async (client: PoolClient, context: CompileContext, scope: string, pending: Pending[]) => {
  const keys = new Map<ResourceKind, string[]>(RESOURCE_KINDS.map((kind) => [kind, []]))
  for (const name of latestTouches(pending).keys()) {
    const space = name.indexOf(' ')
    keys.get(name.slice(0, space) as ResourceKind)?.push(name.slice(space + 1))
  }
  const compiled: Compiled[] = []
  for (const [kind, list] of keys)
    if (list.length > 0) compiled.push(...(await compileKeys(client, context, scope, kind, list)))
  return compiled
}

/** Hash of the latest published item of each named resource; absent = never published, or lost. */
export const publishedHashes = async (client: PoolClient, scope: string, resources: Compiled[]) => {
  const { rows } = await client.query<{ kind: string; key: string; hash: string }>(
    `SELECT c.kind, c.key, i.hash FROM unnest($2::text[], $3::text[]) AS k (kind, key)
     JOIN config_current c ON c.scope = $1 AND c.kind = k.kind AND c.key = k.key
     JOIN config_item i ON i.scope = c.scope AND i.kind = c.kind AND i.key = c.key AND i.revision = c.revision`,
    [scope, resources.map((r) => r.kind), resources.map((r) => r.key)],
  )
  return new Map(rows.map((r) => [`${r.kind} ${r.key}`, r.hash]))
}

/** Whether nodes have something else than what compiles now. */
export const differs = (compiled: Compiled, published: Map<string, string>): boolean =>
  (published.get(`${compiled.kind} ${compiled.key}`) ?? '') !== compiled.hash

const store = async (client: PoolClient, scope: string, pending: Pending[], compiled: Compiled[]) => {
  const touches = latestTouches(pending)
  const touchOf = (c: Compiled) => touches.get(`${c.kind} ${c.key}`)
  const failed = compiled.filter((c) => c.error !== undefined)
  const good = compiled.filter((c) => c.error === undefined)
  const published = await publishedHashes(client, scope, good)
  const known = (c: Compiled) => c.body !== null || published.has(`${c.kind} ${c.key}`)
  const items = good.filter((c) => differs(c, published) || (touchOf(c)?.forced === true && known(c)))
  await insertItems(client, scope, items, (c) => touchOf(c)?.revision ?? 0)
  await recordFailures(client, scope, good, failed, (c) => touchOf(c)?.revision ?? 0)
  const list = failed.map((c) => ({ kind: c.kind, key: c.key, reason: 'compile', detail: c.error ?? '' }))
  await client.query(
    `UPDATE config_revision r SET published_at = clock_timestamp(),
       failed = (SELECT jsonb_agg(f) FROM jsonb_array_elements($2::jsonb) f WHERE r.touched ? ((f->>'kind') || ' ' || (f->>'key')))
     WHERE scope = $1 AND revision >= $3 AND revision <= $4`,
    [scope, JSON.stringify(list), pending[0]?.revision, pending.at(-1)?.revision],
  )
}

const insertItems = async (
  client: PoolClient,
  scope: string,
  items: Compiled[],
  revisionOf: (c: Compiled) => number,
): Promise<void> => {
  if (items.length === 0) return
  const columns = [
    items.map((i) => i.kind),
    items.map((i) => i.key),
    items.map(revisionOf),
    items.map((i) => i.hash),
    items.map((i) => (i.body === null ? null : JSON.stringify(i.body))),
  ]
  await client.query(
    `INSERT INTO config_item (scope, kind, key, revision, hash, body)
     SELECT $1, kind, key, revision, hash, body::jsonb
     FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[]) AS i (kind, key, revision, hash, body)`,
    [scope, ...columns],
  )
  await client.query(
    `INSERT INTO config_current (scope, kind, key, revision) SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[])
     ON CONFLICT (scope, kind, key) DO UPDATE SET revision = excluded.revision`,
    [scope, ...columns.slice(0, 3)],
  )
}

const recordFailures = async (
  client: PoolClient,
  scope: string,
  good: Compiled[],
  failed: Compiled[],
  revisionOf: (c: Compiled) => number,
) => {
  await client.query(
    `DELETE FROM config_failed f USING unnest($2::text[], $3::text[]) AS k (kind, key)
     WHERE f.scope = $1 AND f.kind = k.kind AND f.key = k.key`,
    [scope, good.map((c) => c.kind), good.map((c) => c.key)],
  )
  if (failed.length === 0) return
  await client.query(
    `INSERT INTO config_failed (scope, kind, key, revision, detail)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[])
     ON CONFLICT (scope, kind, key) DO UPDATE SET revision = excluded.revision, detail = excluded.detail`,
    [scope, failed.map((c) => c.kind), failed.map((c) => c.key), failed.map(revisionOf), failed.map((c) => c.error)],
  )
}
