/** Where the channels' settings come from. */
import { type MailConfig, mailConfig } from '@tidegate/contract/config/mail'
import { type NotifyConfig, notifyConfig } from '@tidegate/contract/config/notify'
import { type SmsConfig, smsConfig } from '@tidegate/contract/config/sms'
import { sql } from 'drizzle-orm'
import type { Db, Queryable } from '../../platform/db.ts'
import { row } from '../../platform/query.ts'
import type { Secrets } from '../../platform/secrets.ts'

/** Null: not set up, or switched off. */
export interface NotifyConfigs {
  mail(): Promise<MailConfig | null>
  /** The enabled provider's. */
  sms(): Promise<SmsConfig | null>
  notify(): Promise<NotifyConfig>
}

/** Rows of the table `setting` whose whole value is sealed. */
export interface SealedSettings extends NotifyConfigs {
  save(tx: Queryable, key: 'mail' | 'sms' | 'notify', value: unknown): Promise<void>
}

const FORMS = { mail: mailConfig, sms: smsConfig, notify: notifyConfig } as const

export const createSealedSettings = (db: Db, secrets: Secrets): SealedSettings => {
  const aad = (key: string) => `setting notify.${key}`
  const read = async (key: string): Promise<unknown> => {
    const found = await row<{ sealed: string | null }>(
      db,
      sql`SELECT value ->> 'sealed' AS sealed FROM setting WHERE key = ${`notify.${key}`}`,
    )
    return found?.sealed ? JSON.parse(secrets.open(found.sealed, aad(key))) : undefined
  }
  const parsed = async <K extends 'mail' | 'sms'>(key: K) => {
    const value = await read(key)
    return value === undefined ? null : FORMS[key].parse(value)
  }
  return {
    mail: async () => (await parsed('mail')) as MailConfig | null,
    sms: async () => (await parsed('sms')) as SmsConfig | null,
    notify: async () => notifyConfig.parse((await read('notify')) ?? {}),
    save: async (tx, key, value) => {
      const sealed = JSON.stringify({ sealed: secrets.seal(JSON.stringify(FORMS[key].parse(value)), aad(key)) })
      await tx.execute(sql`INSERT INTO setting (key, value, updated_at) VALUES (${`notify.${key}`}, ${sealed}::jsonb, now())
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`)
    },
  }
}

/** Stands for a secret that is set; sent back, it means "unchanged". */
export const MASK = '********'
export const masked = (secret: string) => (secret === '' ? '' : MASK)
export const unmasked = (given: string, stored: string | undefined) => (given === MASK ? (stored ?? '') : given)

/** Everything in a config that no log may hold. */
export const secretsOf = (config: MailConfig | SmsConfig | NotifyConfig | null): string[] => {
  if (config === null) return []
  if ('telegram' in config) return [config.telegram.token, config.webhook.secret]
  if ('protocol' in config) return [config.password]
  return config.type === 'smsbao' ? [config.api_key] : [config.secretkey]
}
