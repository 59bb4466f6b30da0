/** The token with which outside monitors bring their results; sealed in the installation's own table. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Db, Tx } from '../../platform/db.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { audit } from '../audit/index.ts'
import { installation } from './schema.ts'

export interface MonitorKeyDeps {
  db: Db
  secrets: Secrets
  /** Address at which outside monitors fetch and bring, as the caller reaches this installation. */
  importUrl(caller: Caller): string
}

export interface MonitorKey {
  handlers: Handlers<'dispatch.key' | 'dispatch.renewKey'>
  /** Whether it is the token; in the same time whatever it is. Nothing is while nobody has looked at it yet. */
  matches(given: string): Promise<boolean>
}

const KEY = 'monitor_token'
const AAD = 'installation monitor_token'

const digest = (text: string) => createHash('sha256').update(text).digest()

export const createMonitorKey = (deps: MonitorKeyDeps): MonitorKey => {
  const fresh = () => sql`${JSON.stringify(deps.secrets.seal(randomBytes(24).toString('base64url'), AAD))}::jsonb`
  const stored = async (): Promise<string | null> => {
    const [row] = await deps.db.select().from(installation).where(eq(installation.key, KEY))
    return row ? deps.secrets.open(String(row.value), AAD) : null
  }
  /** Of two that ask at once both get the one that was stored. */
  const token = async (): Promise<string> => {
    await deps.db.insert(installation).values({ key: KEY, value: fresh() }).onConflictDoNothing()
    return (await stored()) ?? ''
  }
  const renew = async (tx: Tx) => {
    const value = fresh()
    await tx
      .insert(installation)
      .values({ key: KEY, value })
      .onConflictDoUpdate({ target: installation.key, set: { value, updatedAt: sql`now()` } })
  }
  return {
    handlers: {
      'dispatch.key': async (_input, caller) => ({ token: await token(), importUrl: deps.importUrl(caller) }),
      'dispatch.renewKey': async (_input, caller) => {
        await deps.db.transaction(async (tx) => {
          await renew(tx)
          await audit(tx, caller, { action: 'dispatch.renewKey', target: 'monitoring token' })
        })
        return {}
      },
    },
    matches: async (given) => {
      const right = await stored()
      return right !== null && timingSafeEqual(digest(given), digest(right))
    },
  }
}
