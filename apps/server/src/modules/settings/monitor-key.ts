/** The token with which outside monitors bring their results; sealed in the installation's own table. */
import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Handlers } from '../../platform/caller.ts'
import type { Db, Tx } from '../../platform/db.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { audit } from '../audit/index.ts'
import { installation } from './schema.ts'

export interface MonitorKeyDeps {
  db: Db
  secrets: Secrets
  /** Address that takes the results; empty while no part of the installation does. */
  importUrl?: (() => Promise<string>) | undefined
}

const KEY = 'monitor_token'
const AAD = 'installation monitor_token'

export const monitorKeyHandlers = (deps: MonitorKeyDeps): Handlers<'dispatch.key' | 'dispatch.renewKey'> => {
  const fresh = () => sql`${JSON.stringify(deps.secrets.seal(randomBytes(24).toString('base64url'), AAD))}::jsonb`
  /** Of two that ask at once both get the one that was stored. */
  const token = async (): Promise<string> => {
    await deps.db.insert(installation).values({ key: KEY, value: fresh() }).onConflictDoNothing()
    const [row] = await deps.db.select().from(installation).where(eq(installation.key, KEY))
    return deps.secrets.open(String(row?.value), AAD)
  }
  const renew = async (tx: Tx) => {
    const value = fresh()
    await tx
      .insert(installation)
      .values({ key: KEY, value })
      .onConflictDoUpdate({ target: installation.key, set: { value, updatedAt: sql`now()` } })
  }
  return {
    'dispatch.key': async () => ({ token: await token(), importUrl: (await deps.importUrl?.()) ?? '' }),
    'dispatch.renewKey': async (_input, caller) => {
      await deps.db.transaction(async (tx) => {
        await renew(tx)
        await audit(tx, caller, { action: 'dispatch.renewKey', target: 'monitoring token' })
      })
      return {}
    },
  }
}
