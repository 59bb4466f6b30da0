/** Reads settings through a short memory: each request needs the site's language, and a change may take some seconds to be seen. */
import { eq } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { settings } from './schema.ts'
import { SETTINGS, type SettingKey, type SettingValue } from './values.ts'

export interface SettingStore {
  get<K extends SettingKey>(key: K): Promise<SettingValue<K>>
}

const MEMORY_MS = 5_000

export const createSettingStore = (db: Db, clock: Clock): SettingStore => {
  const memory = new Map<SettingKey, { at: number; value: Promise<unknown> }>()
  const load = async (key: SettingKey): Promise<unknown> => {
    const [row] = await db.select().from(settings).where(eq(settings.key, key))
    return SETTINGS[key].parse(row?.value ?? {})
  }
  return {
    get: async <K extends SettingKey>(key: K) => {
      const known = memory.get(key)
      if (known && Math.abs(clock.now() - known.at) < MEMORY_MS) return (await known.value) as SettingValue<K>
      const value = load(key)
      memory.set(key, { at: clock.now(), value })
      // A failure is not remembered.
      value.catch(() => memory.delete(key))
      return (await value) as SettingValue<K>
    },
  }
}
