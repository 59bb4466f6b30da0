/** Which certificates are good, in memory: every request of every node asks. */
import { setImmediate } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Bus } from '../../platform/bus.ts'

export interface NodeIdentity {
  id: number
  name: string
  scope: string
}

export interface NodeAuth {
  /** The node of a certificate that our CA signed, or null when it is revoked, replaced or unknown. `serial`: lower-case hex. */
  check(nodeId: number, serial: string): Promise<NodeIdentity | null>
  /** The scope of an enrolled node. */
  scopeOf(nodeId: number): Promise<string | undefined>
  /** Runs when a node's certificates may not be good any more. */
  onChange(listener: (nodeId: number) => void): () => void
  close(): void
}

const LOOK_MS = 2_000

interface Entry extends NodeIdentity {
  serials: string[]
  revoked: boolean
}

/** A revocation arrives by notice at once; one whose notice was lost, within two seconds. */
export const createNodeAuth = (pool: Pool, bus: Bus): NodeAuth => {
  const entries = new Map<number, Entry>()
  const loading = new Map<number, Promise<Entry | null>>()
  const listeners = new Set<(nodeId: number) => void>()
  const gone = new Set<number>()

  const loadAll = async (ids: number[]): Promise<Map<number, Entry>> => {
    const { rows } = await pool.query<Entry>(
      `SELECT id, name, 'group:' || group_id AS scope, cert_serials AS serials, revoked_at IS NOT NULL AS revoked
       FROM node WHERE id = ANY($1::bigint[]) AND enrolled_at IS NOT NULL`,
      [ids],
    )
    const found = new Map(rows.map((entry) => [entry.id, entry]))
    for (const id of ids) {
      const entry = found.get(id)
      if (entry) entries.set(id, entry)
      else entries.delete(id)
    }
    return found
  }
  // After a restart thousands of nodes come within seconds: those of one turn are asked for together.
  let batch: { ids: number[]; found: Promise<Map<number, Entry>> } | undefined
  const load = async (nodeId: number): Promise<Entry | null> => {
    if (!batch) {
      const ids: number[] = []
      const found = setImmediate().then(() => {
        batch = undefined
        return loadAll(ids)
      })
      batch = { ids, found }
    }
    batch.ids.push(nodeId)
    return (await batch.found).get(nodeId) ?? null
  }
  const loadOnce = (nodeId: number) => {
    const now = loading.get(nodeId)
    if (now) return now
    const promise = load(nodeId).finally(() => loading.delete(nodeId))
    loading.set(nodeId, promise)
    return promise
  }
  const changed = (nodeId: number) => {
    entries.delete(nodeId)
    for (const listener of listeners) listener(nodeId)
  }
  const look = async () => {
    const { rows } = await pool.query<{ id: number }>('SELECT id FROM node WHERE revoked_at IS NOT NULL')
    for (const { id } of rows) {
      if (gone.has(id) && entries.get(id)?.revoked !== false) continue
      gone.add(id)
      changed(id)
    }
  }
  // A database that is away answers no request either; the next look follows.
  const lookQuietly = () => void look().catch(() => {})
  const undo = [
    bus.on('node_revoked', (payload) => changed(Number(payload))),
    bus.onResync(() => {
      for (const id of entries.keys()) entries.delete(id)
      lookQuietly()
    }),
  ]
  const timer = setInterval(lookQuietly, LOOK_MS).unref()

  return {
    check: async (nodeId, serial) => {
      let entry = entries.get(nodeId) ?? (await loadOnce(nodeId))
      // A renewal, perhaps at another process.
      if (entry && !entry.revoked && !entry.serials.includes(serial)) entry = await loadOnce(nodeId)
      if (!entry || entry.revoked || !entry.serials.includes(serial)) return null
      return { id: entry.id, name: entry.name, scope: entry.scope }
    },
    scopeOf: async (nodeId) => (entries.get(nodeId) ?? (await loadOnce(nodeId)))?.scope,
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => {
      clearInterval(timer)
      for (const off of undo) off()
    },
  }
}
