/** Settings, and what the consoles read before anything else: page config and enumerations. */

import type { CaptchaPolicy } from '@tidegate/contract/config/login'
import type { Lang } from '@tidegate/contract/enums'
import type { PageFlags } from '@tidegate/contract/features'
import { DEFAULT_TIME_ZONE } from '@tidegate/contract/limits'
import type { OutputOf } from '@tidegate/contract/operations/index'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Part } from '../../platform/part.ts'
import { CONFIG_CLASSES } from './entry.ts'
import { enumerations } from './enumerations.ts'
import { configHandlers } from './handlers.ts'
import { createMonitorKey } from './monitor-key.ts'
import { pageHandlers } from './pages.ts'
import { createSettingStore, type SettingStore, type StoreDeps } from './store.ts'

export type { SettingStore } from './store.ts'

import { type RecordSummary, summaryOf, uploadsInUse } from './summary.ts'

type OtherSite = NonNullable<OutputOf<'common.index'>['otherSite']>

/** Permissions by which config records are read and changed. */
export const CONFIG_PERMISSIONS: readonly string[] = Object.values(CONFIG_CLASSES).flatMap((p) => [p, `${p}:save`])

export interface SettingsDeps extends StoreDeps {
  version: string
  /** TIDEGATE_LOGIN_CAPTCHA; undefined: the setting's. */
  captchaPolicy: CaptchaPolicy | undefined
  /** Pushes that some node has neither acknowledged nor refused; those refused. Absent until the module is there. */
  /** How often consoles ask, and what they say of exports. */
  consoleLimits?: () => { pollSeconds: number; exportMaxRows: number; customersReadOnly: boolean }
  pushCounts?: (() => Promise<{ task_size: number; refused_size: number }>) | undefined
  /** Address at which outside monitors fetch and bring, as the caller reaches this installation. */
  importUrl(caller: Caller): string
  /** Work orders that wait for the caller. Absent until the module is there: then none can wait. */
  workOrderCount?: ((caller: Caller) => Promise<number>) | undefined
}

export interface SettingsModule extends Part {
  handlers: Handlers<'common.index' | 'common.enums'> &
    ReturnType<typeof configHandlers> &
    ReturnType<typeof pageHandlers> &
    ReturnType<typeof createMonitorKey>['handlers']
  /** Whether it is the monitoring token. */
  isMonitorToken(given: string): Promise<boolean>
  store: SettingStore
  defaultLang(): Promise<Lang>
  /** Which records the caller may see, whether they are set, whether they are enabled. */
  summary(caller: Caller): Promise<RecordSummary[]>
  /** Of these names of uploads, those that some record or one of its versions names. */
  uploadsInUse(names: readonly string[]): Promise<ReadonlySet<string>>
  /** What is sold, linked and installed. */
  features(): Promise<PageFlags>
  /** IANA name of the installation's time zone. */
  timeZone(): Promise<string>
  /** The same as far as it is known at this moment; `start` reads it. */
  timeZoneNow(): string
}

/** The linked site without the token of calls to it: the page config is public. */
const publicSite = ({ siteUrl, apiRootPath, syncRegister }: OtherSite): OtherSite => ({
  siteUrl,
  apiRootPath,
  syncRegister,
})

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
  const { store, forget, close } = createSettingStore(deps)
  const monitorKey = createMonitorKey(deps)
  let zone: string = DEFAULT_TIME_ZONE
  const timeZone = async () => {
    const { timeZone: set } = await store.get('system')
    if (set) zone = set
    return zone
  }
  return {
    name: 'settings',
    store,
    isMonitorToken: monitorKey.matches,
    timeZone,
    timeZoneNow: () => zone,
    start: async () => void (await timeZone()),
    stop: async () => close(),
    summary: (caller) => summaryOf(deps.db, caller),
    uploadsInUse: (names) => uploadsInUse(deps.db, names),
    defaultLang: async () => (await store.get('web')).basic.lang,
    features: () => store.get('flags'),
    handlers: {
      ...configHandlers({ ...deps, forget }),
      ...pageHandlers(store),
      ...monitorKey.handlers,
      'common.index': async (_input, caller) => {
        const [web, flags, login, oidc, wechat, timeZoneName, counts] = await Promise.all([
          store.get('web'),
          store.get('flags'),
          store.get('login'),
          store.get('oidc'),
          store.enabled('wechat'),
          timeZone(),
          badges(deps, caller),
        ])
        return {
          ...flags,
          otherSite: flags.otherSite && publicSite(flags.otherSite),
          user_dir: '/',
          ...counts,
          web_config: { paramValue: JSON.stringify({ ...web, userDir: '/' }) },
          captcha: deps.captchaPolicy ?? login.captcha,
          passwordPolicy: login.password,
          oidc: oidc.enabled ? { name: oidc.name } : null,
          wechat,
          version: deps.version,
          timeZone: timeZoneName,
          ...deps.consoleLimits?.(),
        }
      },
      'common.enums': async () => ({ data: enumerations() }),
    },
  }
}
