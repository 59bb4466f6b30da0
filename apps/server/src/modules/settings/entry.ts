/** The form of one row of the registry of config records. */
import type { z } from 'zod'

/** Screens that edit records; a record is read with the screen's permission and changed with the same and `:save`. */
export const CONFIG_CLASSES = {
  website: 'system:website',
  payment: 'system:payment',
  verify: 'system:verify',
  mail: 'system:mail',
  sms: 'system:sms',
  wechat: 'system:wechat',
  login: 'system:login',
  api: 'system:api',
  dispatch: 'cdn:dispatch:config',
  storage: 'cloud:storage',
  dnsBlack: 'dns:black:config',
} as const
export type ConfigClass = keyof typeof CONFIG_CLASSES

export interface ConfigEntry {
  /** Stable: callers name records by it. Below FIRST_OWN_RECORD_ID. */
  id: number
  paramKey: string
  screen: ConfigClass
  schema: z.ZodType
  /** Value while nothing is stored: null, or what the schema makes of its own defaults. */
  unset?: null
  /** Dotted paths of members that are stored sealed and read back masked; `*` = each member of a list. */
  secrets?: readonly string[]
  /** Dotted paths of the addresses that the secrets are sent to: where one changes, the secrets must be entered anew. */
  sentTo?: readonly string[]
  remark: { zh: string; en: string }
  /** Order within its screen. */
  weight: number
  /** Absent: always enabled. `off`: disabled until someone enables it. */
  switchable?: 'on' | 'off'
  /** Of the records of one such group at most one is enabled. */
  exclusive?: string
}

/** Declares a record; keeps its schema as a type. */
export const entry = <const E extends ConfigEntry>(row: E): E => row

export type EntryValue<E extends ConfigEntry> = z.output<E['schema']> | (E extends { unset: null } ? null : never)
