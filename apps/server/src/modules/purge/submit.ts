/** cache.purge: entries -> rows with a new generation, in one change of the configuration. */
import { PURGE_TASKS_PER_MINUTE } from '@tidegate/contract/limits'
import type { InputOf } from '@tidegate/contract/operations/index'
import { parsePurgeEntry } from '@tidegate/contract/validators'
import { purgeKey } from '@tidegate/node-config/compile'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import { groupScope, type Touch } from '../../platform/config-change.ts'
import type { Tx } from '../../platform/db.ts'
import { AppError, type FieldFault } from '../../platform/errors.ts'
import { reachable } from '../../platform/owner.ts'
import { row, rows } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import type { PurgeModuleDeps } from './index.ts'

/** Rows of one site beyond which the whole site is purged instead: nodes hold every row in memory. */
export const MAX_ROWS_PER_SITE = 10_000
const LOCK_ACCOUNT = 7_413_200

interface Target {
  siteId: number
  groupId: number
  kind: 'site' | 'url' | 'dir'
  value: string
}

/** Stores a task and its purges. Throws `too_many` with the seconds to wait, and field errors for entries of nobody's site. */
export const submitPurge = async (deps: PurgeModuleDeps, input: InputOf<'cache.purge'>, caller: Caller) => {
  const first = input.entries[0]?.trim() ?? ''
  const subject = input.entries.length > 1 ? `${first} +${input.entries.length - 1}` : first
  const { result } = await deps.withConfigChange({ reason: 'purge', subject, by: caller.name }, async (tx, touch) => {
    await checkRate(tx, caller)
    const targets = await findTargets(tx, input, caller)
    const id = await insertTask(tx, input, caller)
    await writeRows(tx, touch, targets)
    await audit(tx, caller, { action: 'cache.purge', target: `purge ${id}`, after: input })
    return id
  })
  return { id: result }
}

/** Tasks of one account are counted under a lock, so that two at once cannot both be the last that is allowed. */
const checkRate = async (tx: Tx, caller: Caller): Promise<void> => {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK_ACCOUNT}, hashtext(${`${caller.kind} ${caller.id}`}))`)
  const recent = await rows<{ age: number }>(
    tx,
    sql`SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 AS age FROM purge_task
        WHERE by_kind = ${caller.kind} AND by_id = ${caller.id} AND created_at > clock_timestamp() - interval '1 minute'
        ORDER BY created_at DESC LIMIT ${PURGE_TASKS_PER_MINUTE}`,
  )
  const oldest = recent[PURGE_TASKS_PER_MINUTE - 1]
  if (oldest) throw new AppError('too_many', { params: { seconds: Math.max(1, Math.ceil(60 - oldest.age)) } })
}

const insertTask = async (tx: Tx, input: InputOf<'cache.purge'>, caller: Caller): Promise<number> => {
  const task = await row<{ id: number }>(
    tx,
    sql`INSERT INTO purge_task (kind, entries, by_kind, by_id, by_name, created_at)
        VALUES (${input.kind}, ${sql.param(input.entries.map((e) => e.trim()))}::text[], ${caller.kind}, ${caller.id}, ${caller.name}, clock_timestamp())
        RETURNING id`,
  )
  if (!task) throw new Error('no purge task was inserted')
  return task.id
}

/** Names under which a host may be served: itself, then wildcards from the nearest on. */
const candidates = (host: string): string[] => {
  const labels = host.split('.')
  return [host, ...labels.slice(1, -1).map((_, i) => `*.${labels.slice(i + 1).join('.')}`)]
}

const findTargets = async (tx: Tx, { kind, entries }: InputOf<'cache.purge'>, caller: Caller): Promise<Target[]> => {
  const parsed = entries.map((entry) => {
    const parts = parsePurgeEntry(kind, entry)
    // The schema has refused these already.
    if (typeof parts === 'string') throw new AppError('invalid_input')
    return parts
  })
  const names = [...new Set(parsed.flatMap((p) => candidates(p.host)))]
  const owners = await rows<{ domain: string; siteId: number; groupId: number; own: boolean }>(
    tx,
    sql`SELECT d.domain, s.id AS "siteId", s.group_id AS "groupId", ${reachable(caller, sql`s.user_id`)} IS TRUE AS own FROM site_domain d JOIN site s ON s.id = d.site_id
        WHERE d.domain = ANY (${sql.param(names)}::text[])`,
  )
  const byDomain = new Map(owners.map((o) => [o.domain, o]))
  const faults: FieldFault[] = []
  const targets = parsed.flatMap(({ host, path }, i): Target[] => {
    const owner = candidates(host)
      .map((name) => byDomain.get(name))
      .find((o) => o !== undefined)
    // Who serves the name is the nearest site, whoever it belongs to: a wildcard does not reach into another's domain.
    if (owner?.own)
      return [{ siteId: owner.siteId, groupId: owner.groupId, kind, value: kind === 'site' ? '' : host + path }]
    faults.push({ path: `entries.${i}`, key: 'purge_foreign', params: { value: host } })
    return []
  })
  if (faults.length > 0) throw new AppError('invalid_input', { fields: faults })
  return targets
}

/**
 * Upserts the rows with one new generation. A purge of a whole site makes its other rows of lower generations needless; a site with
 * too many rows is purged as a whole. Sites in the order of their ids, so that two tasks lock them in one order.
 */
const writeRows = async (tx: Tx, touch: Touch, targets: Target[]): Promise<void> => {
  const bySite = new Map<number, Target[]>()
  for (const t of targets) bySite.set(t.siteId, [...(bySite.get(t.siteId) ?? []), t])
  for (const siteId of [...bySite.keys()].sort((a, b) => a - b)) {
    const list = bySite.get(siteId) ?? []
    // Also keeps the site in its group, and in being, until the end.
    const site = await row<{ groupId: number }>(
      tx,
      sql`SELECT group_id AS "groupId" FROM site WHERE id = ${siteId} FOR NO KEY UPDATE`,
    )
    if (!site) throw new AppError('conflict')
    const scope = groupScope(site.groupId)
    const generation = await nextGeneration(tx)
    const whole = list.some((t) => t.kind === 'site') || (await rowsAfter(tx, siteId, list)) > MAX_ROWS_PER_SITE
    if (whole) await purgeSite(tx, touch, scope, siteId, generation)
    else await upsert(tx, touch, scope, list, generation)
  }
}

/** Taken under the site's lock: of two tasks for one site, the later has the higher generation. */
const nextGeneration = async (tx: Tx): Promise<number> => {
  const next = await row<{ n: number }>(tx, sql`SELECT nextval('purge_generation') AS n`)
  if (!next) throw new Error('no purge generation')
  return next.n
}

const rowsAfter = async (tx: Tx, siteId: number, list: Target[]): Promise<number> => {
  const count = await row<{ n: number }>(
    tx,
    sql`SELECT count(*) AS n FROM purge_row WHERE site_id = ${siteId}
        AND NOT (kind = ${list[0]?.kind ?? ''} AND value = ANY (${sql.param(list.map((t) => t.value))}::text[]))`,
  )
  return (count?.n ?? 0) + new Set(list.map((t) => t.value)).size
}

const purgeSite = async (tx: Tx, touch: Touch, scope: string, siteId: number, generation: number) => {
  const gone = await rows<{ kind: string; value: string }>(
    tx,
    sql`DELETE FROM purge_row WHERE site_id = ${siteId} AND kind <> 'site' AND generation < ${generation} RETURNING kind, value`,
  )
  for (const g of gone) touch(scope, 'purge', purgeKey(siteId, g.kind, g.value))
  await upsert(tx, touch, scope, [{ siteId, groupId: 0, kind: 'site', value: '' }], generation)
}

const upsert = async (tx: Tx, touch: Touch, scope: string, list: Target[], generation: number) => {
  const values = [...new Map(list.map((t) => [t.value, t])).values()]
  await tx.execute(sql`INSERT INTO purge_row (site_id, kind, value, generation)
    SELECT * , ${generation}::bigint FROM unnest(${sql.param(values.map((t) => t.siteId))}::bigint[],
      ${sql.param(values.map((t) => t.kind))}::text[], ${sql.param(values.map((t) => t.value))}::text[])
    ON CONFLICT (site_id, kind, value) DO UPDATE SET generation = GREATEST(purge_row.generation, excluded.generation), created_at = now()`)
  for (const t of values) touch(scope, 'purge', purgeKey(t.siteId, t.kind, t.value))
}
