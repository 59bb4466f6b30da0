/** Compiles everything of a scope and names what nodes have otherwise: repairs what a lost notice, a lost row or a changed setting left behind. */
import { RESOURCE_KINDS, type ResourceKind } from '@tidegate/contract/node/config'
import { SETTINGS_KEY } from '@tidegate/node-config/compile'
import type { PushRef, WithConfigChange } from '../../platform/config-change.ts'
import { differs, type PublishDeps, publishedHashes, underScopeLock } from './publish-scope.ts'
import { allKeys, compileKeys } from './state.ts'

const CHUNK = 1_000

export interface Difference {
  kind: ResourceKind
  key: string
}

/** What is published otherwise than it compiles now; under the publishing lock, so that no half-published state is compared. */
export const findDifferences = (deps: PublishDeps, scope: string): Promise<Difference[]> =>
  underScopeLock(deps.pool, scope, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const found: Difference[] = []
    for (const kind of RESOURCE_KINDS) {
      const keys = await allKeys(client, scope, kind)
      for (let at = 0; at < keys.length; at += CHUNK) {
        const compiled = await compileKeys(client, deps.context, scope, kind, keys.slice(at, at + CHUNK))
        const published = await publishedHashes(client, scope, compiled)
        for (const c of compiled) if (c.error === undefined && differs(c, published)) found.push({ kind, key: c.key })
      }
    }
    await client.query('COMMIT')
    return found
  })

/** Scopes of all groups. */
export const allScopes = async (deps: PublishDeps): Promise<string[]> => {
  const { rows } = await deps.pool.query<{ id: number }>('SELECT id FROM node_group ORDER BY id')
  return rows.map((r) => `group:${r.id}`)
}

/** Publishes the differences of each scope as a revision; scopes without any get none. */
export const resync = async (deps: PublishDeps, withConfigChange: WithConfigChange): Promise<PushRef[]> => {
  const refs: PushRef[] = []
  for (const scope of await allScopes(deps)) {
    const differences = await findDifferences(deps, scope)
    if (differences.length === 0) continue
    const meta = { reason: 'resync', subject: String(differences.length), by: 'system' } as const
    const { push } = await withConfigChange(meta, async (_tx, touch) => {
      for (const d of differences) touch(scope, d.kind, d.key)
    })
    refs.push(...push)
  }
  return refs
}

/** What an operator's "push everything" touches: differences, what is refused at present, and the settings, so that every node answers. */
export const everythingToPush = async (deps: PublishDeps, scope: string): Promise<string[]> => {
  const differences = await findDifferences(deps, scope)
  const { rows } = await deps.pool.query<{ name: string }>(
    `SELECT DISTINCT jsonb_array_elements_text(refused_now) AS name FROM node_push WHERE scope = $1 AND NOT revoked
     UNION SELECT kind || ' ' || key FROM config_failed WHERE scope = $1`,
    [scope],
  )
  const names = [
    ...differences.map((d) => `${d.kind} ${d.key}`),
    ...rows.map((r) => r.name),
    `settings ${SETTINGS_KEY}`,
  ]
  return [...new Set(names)]
}
