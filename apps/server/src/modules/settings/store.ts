/** Reads settings through a short memory: each request needs the site's language. A change is seen at once: here by `forget`, in other processes by NOTIFY. */
import { eq } from 'drizzle-orm'
import type { Bus } from '../../platform/bus.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { ConfigEntry } from './entry.ts'
import { settings } from './schema.ts'
import { openValue } from './secret-paths.ts'
import { SETTINGS, type SettingKey, type SettingValue, unsetValue } from './values.ts'

export interface SettingStore {
  /** The value with its secrets opened; the default (null for what must be set first) while nothing is stored. */
  get<K extends SettingKey>(key: K): Promise<SettingValue<K>>
  /** Whether the record is enabled and set. */
  enabled(key: SettingKey): Promise<boolean>
}

interface State {
  value: unknown
  enabled: boolean
}

export interface StoreDeps {
  db: Db
  clock: Clock
  secrets: Secrets
  bus: Bus
  log: Log
}

/** Bounds what a lost notice costs. */
const MEMORY_MS = 5_000

export const stateOfUnset = (entry: ConfigEntry): State => {
  const value = unsetValue(entry)
  return { value, enabled: value !== null && entry.switchable !== 'off' }
}

export const createSettingStore = ({ db, clock, secrets, bus, log }: StoreDeps) => {
  const memory = new Map<SettingKey, { at: number; state: Promise<State> }>()
  const load = async (key: SettingKey): Promise<State> => {
    const entry: ConfigEntry = SETTINGS[key]
    const [row] = await db.select().from(settings).where(eq(settings.key, key))
    if (!row) return stateOfUnset(entry)
    try {
      const value = entry.schema.parse(openValue(secrets, key, entry.secrets ?? [], row.value))
      return { value, enabled: row.status === 1 }
    } catch (error) {
      // A value that an earlier release wrote, or a lost master key: the installation goes on with what it had before it was set.
      log.error({ err: error instanceof Error ? error.message : String(error), key }, 'setting cannot be read')
      return stateOfUnset(entry)
    }
  }
  const state = async (key: SettingKey): Promise<State> => {
    const known = memory.get(key)
    if (known && Math.abs(clock.now() - known.at) < MEMORY_MS) return await known.state
    const loading = load(key)
    const remembered = { at: clock.now(), state: loading }
    memory.set(key, remembered)
    // A failure is not remembered.
    loading.catch(() => memory.get(key) === remembered && memory.delete(key))
    return await loading
  }
  const forget = (key: string) => void memory.delete(key as SettingKey)
  const endings = [bus.on('setting_changed', forget), bus.onResync(() => memory.clear())]
  const store: SettingStore = {
    get: async <K extends SettingKey>(key: K) => (await state(key)).value as SettingValue<K>,
    enabled: async (key) => (await state(key)).enabled,
  }
  return {
    store,
    forget,
    close: () => {
      for (const end of endings) end()
    },
  }
}
