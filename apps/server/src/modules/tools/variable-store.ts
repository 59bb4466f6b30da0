/**
 * The values of runtime variables, in memory: what asks for one asks often. A change is told to every process; one whose notice was lost is
 * seen at the next look.
 */
import {
  VARIABLE_KEYS,
  type VariableKey,
  type Variables,
  valueFault,
  variableKind,
} from '@tidegate/contract/runtime-variables'
import { sql } from 'drizzle-orm'
import type { Bus } from '../../platform/bus.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { rows } from '../../platform/query.ts'

export interface VariableStore {
  get<K extends VariableKey>(key: K): Variables[K]
  /** What holds where nothing was set: the environment's value where there is one, else the registry's. */
  defaultOf(key: VariableKey): Variables[VariableKey]
  /** Those that were set. */
  stored(on: Queryable): Promise<Map<VariableKey, Variables[VariableKey]>>
  /** Whether nothing but the default held at any time since then. */
  untouchedSince(key: VariableKey, at: Date): Promise<boolean>
  /** Reads anew. */
  load(): Promise<void>
  /** Runs with each new value of a variable. */
  onChange<K extends VariableKey>(key: K, listener: (value: Variables[K]) => void): void
  /** Keeps it fresh until `close`. */
  start(): Promise<void>
  close(): void
}

export interface VariableStoreDeps {
  db: Db
  bus: Bus
  log: Log
  /** Values of the environment. */
  defaults: Partial<Variables>
}

const LOOK_MS = 15_000

const isKey = (key: string): key is VariableKey => (VARIABLE_KEYS as readonly string[]).includes(key)

export const createVariableStore = ({ db, bus, log, defaults }: VariableStoreDeps): VariableStore => {
  let set = new Map<VariableKey, Variables[VariableKey]>()
  const listeners: { key: VariableKey; tell: () => void }[] = []
  const defaultOf = (key: VariableKey): Variables[VariableKey] => defaults[key] ?? variableKind(key).default
  const current = (key: VariableKey) => set.get(key) ?? defaultOf(key)

  const stored = async (on: Queryable) => {
    const found = await rows<{ key: string; value: unknown }>(on, sql`SELECT key, value FROM runtime_variable`)
    const fit = new Map<VariableKey, Variables[VariableKey]>()
    // A value of another release that this one would not take is as if nothing had been set.
    for (const { key, value } of found)
      if (isKey(key) && valueFault(variableKind(key), value) === null) fit.set(key, value as Variables[VariableKey])
    return fit
  }
  const load = async () => {
    const before = new Map(listeners.map(({ key }) => [key, current(key)]))
    set = await stored(db)
    for (const { key, tell } of listeners) if (before.get(key) !== current(key)) tell()
  }
  const quietly = () => void load().catch((error: unknown) => log.warn({ err: error }, 'variables cannot be read'))
  const endings = [bus.on('variable_changed', quietly), bus.onResync(quietly)]

  return {
    get: <K extends VariableKey>(key: K) => current(key) as Variables[K],
    defaultOf,
    stored,
    untouchedSince: async (key, at) => {
      const touched = await rows(
        db,
        sql`SELECT 1 FROM runtime_variable WHERE key = ${key}
            UNION ALL SELECT 1 FROM runtime_variable_change WHERE key = ${key} AND changed_at >= ${at.toISOString()}::timestamptz LIMIT 1`,
      )
      return touched.length === 0
    },
    load,
    onChange: (key, listener) => {
      listeners.push({ key, tell: () => listener(current(key) as Parameters<typeof listener>[0]) })
    },
    start: async () => {
      await load()
      const timer = setInterval(quietly, LOOK_MS)
      endings.push(() => clearInterval(timer))
    },
    close: () => {
      for (const end of endings.splice(0)) end()
    },
  }
}
