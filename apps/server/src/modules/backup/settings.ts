/** Target and passphrase of backups that are made here. Kept apart from the other settings: whoever could change them could take all data out. */
import { type BackupTarget, backupTarget } from '@tidegate/contract/config/backup'
import { SECRET_MASK } from '@tidegate/contract/config/record'
import type { BackupPlace } from '@tidegate/contract/enums'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import { row } from '../../platform/query.ts'
import type { Secrets } from '../../platform/secrets.ts'

export interface BackupSettings {
  target: BackupTarget
  /** '' = not set. */
  passphrase: string
}

const KEY = 'backup'
const AAD = { passphrase: 'backup passphrase', secret: 'backup secretAccessKey' } as const
const UNSET: BackupSettings = { target: backupTarget.parse({}), passphrase: '' }

/** With opened secrets. */
export const readSettings = async (on: Queryable, secrets: Secrets): Promise<BackupSettings> => {
  const found = await row<{ value: BackupSettings }>(on, sql`SELECT value FROM installation WHERE key = ${KEY}`)
  if (!found) return UNSET
  const { target, passphrase } = found.value
  const secret = target.secretAccessKey === '' ? '' : secrets.open(target.secretAccessKey, AAD.secret)
  return { target: { ...target, secretAccessKey: secret }, passphrase: secrets.open(passphrase, AAD.passphrase) }
}

export const storeSettings = async (on: Queryable, secrets: Secrets, { target, passphrase }: BackupSettings) => {
  const secret = target.secretAccessKey === '' ? '' : secrets.seal(target.secretAccessKey, AAD.secret)
  const value = {
    target: { ...target, secretAccessKey: secret },
    passphrase: secrets.seal(passphrase, AAD.passphrase),
  }
  await on.execute(sql`INSERT INTO installation (key, value) VALUES (${KEY}, ${JSON.stringify(value)}::jsonb)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`)
}

export const masked = ({ target, passphrase }: BackupSettings): BackupSettings => ({
  target: { ...target, secretAccessKey: target.secretAccessKey === '' ? '' : SECRET_MASK },
  passphrase: passphrase === '' ? '' : SECRET_MASK,
})

/** What was given, with the present secrets where their mask came back. */
export const unmasked = (given: BackupSettings, present: BackupSettings): BackupSettings => ({
  target: {
    ...given.target,
    secretAccessKey:
      given.target.secretAccessKey === SECRET_MASK ? present.target.secretAccessKey : given.target.secretAccessKey,
  },
  passphrase: given.passphrase === SECRET_MASK ? present.passphrase : given.passphrase,
})

export const placeOf = ({ target }: BackupSettings): BackupPlace => (target.target === 's3' ? 's3' : 'disk')
