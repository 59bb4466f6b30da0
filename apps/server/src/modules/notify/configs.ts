/** Where the channels' settings come from. Mail and short messages are set up on the settings screens; the rest is kept here. */
import type { MailConfig } from '@tidegate/contract/config/mail'
import { type NotifyConfig, notifyConfig } from '@tidegate/contract/config/notify'
import type { SmsConfig } from '@tidegate/contract/config/sms'
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

/** The row `notify.notify` of the table `setting`, whose whole value is sealed: Telegram, webhook, the staff's mailbox. */
export interface OwnSettings {
  notify(on?: Queryable): Promise<NotifyConfig>
  save(tx: Queryable, value: NotifyConfig): Promise<void>
}

const KEY = 'notify.notify'
const AAD = `setting ${KEY}`

export const createOwnSettings = (db: Db, secrets: Secrets): OwnSettings => ({
  notify: async (on = db) => {
    const found = await row<{ sealed: string | null }>(
      on,
      sql`SELECT value ->> 'sealed' AS sealed FROM setting WHERE key = ${KEY}`,
    )
    return notifyConfig.parse(found?.sealed ? JSON.parse(secrets.open(found.sealed, AAD)) : {})
  },
  save: async (tx, value) => {
    const sealed = JSON.stringify({ sealed: secrets.seal(JSON.stringify(notifyConfig.parse(value)), AAD) })
    await tx.execute(sql`INSERT INTO setting (key, value, updated_at) VALUES (${KEY}, ${sealed}::jsonb, now())
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`)
  },
})

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
