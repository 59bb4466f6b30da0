/** Settings, and what the consoles read before anything else: page config and enumerations. */

import type { CaptchaPolicy } from '@tidegate/contract/config/login'
import type { Lang } from '@tidegate/contract/enums'
import type { PageFlags } from '@tidegate/contract/features'
import { DEFAULT_TIME_ZONE } from '@tidegate/contract/limits'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { Part } from '../../platform/part.ts'
import { enumerations } from './enumerations.ts'
import { createSettingStore, type SettingStore } from './store.ts'

export interface SettingsDeps {
  db: Db
  clock: Clock
  version: string
  /** TIDEGATE_LOGIN_CAPTCHA; undefined: the setting's. */
  captchaPolicy: CaptchaPolicy | undefined
  /** Pushes that some node has neither acknowledged nor refused; those refused. Absent until the module is there. */
  pushCounts?: (() => Promise<{ task_size: number; refused_size: number }>) | undefined
  /** Work orders that wait for the caller. Absent until the module is there: then none can wait. */
  workOrderCount?: ((caller: Caller) => Promise<number>) | undefined
}

export interface SettingsModule extends Part {
  handlers: Handlers<'common.index' | 'common.enums'>
  store: SettingStore
  defaultLang(): Promise<Lang>
  /** What is sold, linked and installed. */
  features(): Promise<PageFlags>
  /** IANA name of the installation's time zone. */
  timeZone(): Promise<string>
  /** The same as far as it is known at this moment; `start` reads it. */
  timeZoneNow(): string
}

/** Counts for badges; only for who is logged in. */
const badges = async (deps: SettingsDeps, caller: Caller) => {
  if (caller.kind === 'anonymous') return {}
  const pushes =
    caller.kind === 'admin' && caller.permissions.has('cdn:push:list') ? await deps.pushCounts?.() : undefined
  return {
    wkCount: (await deps.workOrderCount?.(caller)) ?? 0,
    ...(pushes && { task_count: pushes.task_size, refused_count: pushes.refused_size }),
  }
}

export const createSettingsModule = (deps: SettingsDeps): SettingsModule => {
  const store = createSettingStore(deps.db, deps.clock)
  let zone: string = DEFAULT_TIME_ZONE
  const timeZone = async () => {
    const { timeZone: set } = await store.get('system')
    if (set) zone = set
    return zone
  }
  return {
    name: 'settings',
    store,
    timeZone,
    timeZoneNow: () => zone,
    start: async () => void (await timeZone()),
    defaultLang: async () => (await store.get('web')).basic.lang,
    features: () => store.get('flags'),
    handlers: {
      'common.index': async (_input, caller) => {
        const [web, flags, login, oidc, timeZoneName, counts] = await Promise.all([
          store.get('web'),
          store.get('flags'),
          store.get('login'),
          store.get('oidc'),
          timeZone(),
          badges(deps, caller),
        ])
        return {
          ...flags,
          user_dir: '/',
          ...counts,
          web_config: { paramValue: JSON.stringify({ ...web, userDir: '/' }) },
          captcha: deps.captchaPolicy ?? login.captcha,
          oidc: oidc.enabled ? { name: oidc.name } : null,
          version: deps.version,
          timeZone: timeZoneName,
        }
      },
      'common.enums': async () => ({ data: enumerations() }),
    },
  }
}
