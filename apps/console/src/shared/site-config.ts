/** What the server says of this installation before and after login (`sys/common/index`). */
import { LANGUAGES, type Lang } from '@tidegate/contract/enums'
import type { OutputOf } from '@tidegate/contract/operations/index'
import type { Mode } from '@tidegate/ui/tokens'
import { create } from 'zustand'
import { resetApi } from './api/base.ts'
import { call } from './api/call.ts'
import { showFavicon } from './favicon.ts'
import { siteLang } from './i18n.ts'
import { useMaintenance } from './maintenance.ts'

export type SiteIndex = OutputOf<'common.index'>

export const CONTACTS = ['mobile', 'email', 'qq', 'telegram', 'skype'] as const
export type Contact = (typeof CONTACTS)[number]

/** Parts of `web_config` that the console reads; what is missing is ''. */
export interface WebConfig {
  name: string
  seoTitle: string
  lang: Lang | null
  favicon: string
  /** For a light and for a dark background. */
  logo: Record<Mode, string>
  icp: string
  isp: string
  /** Stands before every amount. */
  priceUnit: string
  company: string
  contact: Record<Contact, string>
}

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
/** Pictures come from this server or stand in the text; others the page's policy would refuse. */
const picture = (value: unknown) => (/^(\/(?!\/)|data:image\/)/.test(text(value)) ? text(value) : '')
const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** `web_config.paramValue` is JSON in a string; anything else counts as empty. */
export const webConfig = (paramValue: string): WebConfig => {
  let given: Record<string, unknown> = {}
  try {
    given = record(JSON.parse(paramValue))
  } catch {
    given = {}
  }
  const basic = record(given.basic)
  const contact = record(given.contact)
  return {
    name: text(basic.webName),
    seoTitle: text(record(given.seo).title),
    lang: LANGUAGES.find((l) => l === basic.lang) ?? null,
    favicon: picture(basic.favicon),
    logo: { light: picture(basic.logoImgLight), dark: picture(basic.logoImgDark) },
    icp: text(basic.icp),
    isp: text(basic.isp),
    priceUnit: text(given.priceUnit),
    company: text(contact.company),
    contact: Object.fromEntries(CONTACTS.map((key) => [key, text(contact[key])])) as Record<Contact, string>,
  }
}

interface Store {
  index: SiteIndex | null
  web: WebConfig
  /** The last read got nothing; what was known stays. */
  failed: boolean
  read: () => Promise<void>
}

export const PRODUCT = 'Tidegate'

export const useSite = create<Store>((set) => ({
  index: null,
  web: webConfig(''),
  failed: false,
  read: async () => {
    const index = await call('common.index', {}, { keep: true, quiet: true }).catch((error: unknown) => {
      set({ failed: true })
      throw error
    })
    resetApi(index.resetApi)
    const web = webConfig(index.web_config.paramValue)
    set({ index, web, failed: false })
    useMaintenance.setState({ refused: false })
    showFavicon(web.favicon)
    if (web.lang !== null) siteLang(web.lang)
  },
}))

const POLL_SECONDS = 5

/** Milliseconds between two questions of what polls, as the installation says. */
export const usePollMs = (): number => useSite((site) => site.index?.pollSeconds ?? POLL_SECONDS) * 1000

/** `Page - SEO title`. */
export const pageTitle = (page: string, web: WebConfig): string => {
  const site = web.seoTitle || web.name || PRODUCT
  return page === '' ? site : `${page} - ${site}`
}
