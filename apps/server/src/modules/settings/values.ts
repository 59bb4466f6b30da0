/** The settings that are built so far: their keys, forms and defaults. A row of the table overrides a default, member by member. */
import { loginConfig } from '@tidegate/contract/config/login'
import { oidcConfig } from '@tidegate/contract/config/oidc'
import { LANGUAGES } from '@tidegate/contract/enums'
import { modeFlags } from '@tidegate/contract/features'
import { z } from 'zod'

const text = z.string().default('')

/** `web`: name, logos, search engine texts, contact of the installation (specification, section 3, "Web config"). */
const web = z.object({
  basic: z
    .object({
      favicon: text,
      logoImgLight: text,
      logoImgDark: text,
      webName: z.string().default('Tidegate'),
      icp: text,
      isp: text,
      lang: z.enum(LANGUAGES).default('zh'),
    })
    .prefault({}),
  seo: z.object({ title: z.string().default('Tidegate'), keywords: text, description: text }).prefault({}),
  contact: z.object({ mobile: text, email: text, qq: text, company: text, telegram: text, skype: text }).prefault({}),
})

/** `flags`: features that are sold or linked; above 0 = on. */
const flags = z.object({
  rewrite: z.int().default(0),
  force: z.int().default(0),
  ai_waf: z.int().default(0),
  mode: modeFlags.prefault({}),
  dns_rewrite: z.object({ cnameDomain: z.string(), dnsAddress: z.string() }).nullable().default(null),
  otherSite: z.object({ siteUrl: z.string(), apiRootPath: z.string(), syncRegister: z.int() }).nullable().default(null),
  resetApi: z.boolean().default(false),
})

/** `system`: empty time zone = the server's own. */
const system = z.object({ timeZone: text })

/** `register`: who can make an account by himself, and what it is bound to. */
const register = z.object({
  closed: z.boolean().default(false),
  byMail: z.boolean().default(false),
  byMobile: z.boolean().default(false),
})

/** `verify`: what is asked for before domains are added. */
const verify = z.object({ forceRealName: z.boolean().default(false), forcePhone: z.boolean().default(false) })

export const SETTINGS = { web, flags, system, login: loginConfig, oidc: oidcConfig, register, verify } as const
export type SettingKey = keyof typeof SETTINGS
export type SettingValue<K extends SettingKey> = z.output<(typeof SETTINGS)[K]>
