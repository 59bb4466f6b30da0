/** The analytics store with its tables. */
import { type Analytics, ensureAnalyticsDatabase, openAnalytics } from '../../platform/clickhouse.ts'
import { ensureAnalyticsSchema } from './schema.ts'

export interface ReadyStore {
  /** Throws when the store is away. */
  ready(): Promise<Analytics>
  /** Its tables are made again before the next use: it may have come back empty. */
  wasAway(): void
  close(): Promise<void>
}

/** A store whose tables are made before its first use; opens no connection before. */
export const openReady = (url: string): ReadyStore => {
  const store = openAnalytics(url)
  let done = false
  return {
    ready: async () => {
      if (!done) {
        await ensureAnalyticsDatabase(url)
        await ensureAnalyticsSchema(store)
      }
      done = true
      return store
    },
    wasAway: () => {
      done = false
    },
    close: () => store.close().catch(() => {}),
  }
}
