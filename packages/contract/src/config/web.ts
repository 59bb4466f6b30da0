/** Website, features, linked site, service agreement, installation: forms of their config records (specification, section 3, "Web config"). */
import { z } from 'zod'
import { LANGUAGES } from '../enums.ts'
import { modeFlags } from '../mode-flags.ts'
import { mailAddress } from '../validators.ts'
import { orEmpty, rootAddress } from './record.ts'

/** Suggested, not demanded (specification, section 5). */
export const SITE_NAME_SUGGESTED = 8

const text = (max: number) => z.string().trim().max(max).default('')

/** Address of an uploaded image on this server; names are made by the server. */
export const uploadPath = z
  .string()
  .regex(/^\/uploads\/[a-z0-9]{32}\.(?:png|jpg|gif|webp|ico)$/, { error: 'upload_path' })
const image = orEmpty(uploadPath).default('')

/** Record `web_config`. */
export const webConfig = z.object({
  basic: z
    .object({
      favicon: image,
      logoImgLight: image,
      logoImgDark: image,
      webName: z.string().trim().min(1, { error: 'required' }).max(64).default('Tidegate'),
      icp: text(64),
      isp: text(64),
      lang: z.enum(LANGUAGES).default('zh'),
    })
    .prefault({}),
  seo: z
    .object({ title: z.string().trim().max(128).default('Tidegate'), keywords: text(255), description: text(500) })
    .prefault({}),
  contact: z
    .object({
      mobile: text(32),
      email: orEmpty(mailAddress).default(''),
      qq: text(32),
      company: text(128),
      telegram: text(64),
      skype: text(64),
    })
    .prefault({}),
  /** Stands before every amount. */
  priceUnit: z.string().trim().min(1, { error: 'required' }).max(8).default('¥'),
})
export type WebConfig = z.output<typeof webConfig>

const flag = z.int().min(0).max(1).default(0)

/** Record `flags`: features that are sold or linked; above 0 = on. */
export const flagsConfig = z.object({
  rewrite: flag,
  force: flag,
  ai_waf: flag,
  dns_rewrite: z
    .object({ cnameDomain: z.string().trim().min(1, { error: 'required' }).max(255), dnsAddress: text(255) })
    .nullable()
    .default(null),
  otherSite: z
    .object({
      siteUrl: rootAddress,
      apiRootPath: z
        .string()
        .trim()
        .regex(/^\/(?:[\w.-]+\/)*$/, { error: 'api_root_path' })
        .max(200),
      syncRegister: z.int().min(0).max(1).default(0),
      /** Sent in the header `token` with calls of administrators; customers' calls go without. */
      token: z.string().trim().max(500).default(''),
    })
    .nullable()
    .default(null),
  mode: modeFlags.prefault({}),
  resetApi: z.boolean().default(false),
})
export type FlagsConfig = z.output<typeof flagsConfig>

/** Record `agreement`: the service agreement that people accept when they register, as plain text; blank lines part paragraphs. */
const agreementText = z.object({ title: text(128), content: z.string().max(100_000).default('') })
export const agreementConfig = z.object({ zh: agreementText.prefault({}), en: agreementText.prefault({}) })
export type AgreementConfig = z.output<typeof agreementConfig>

/** Record `DNS_USER_API_ROOT_URI`: root of the DNS product's API for customers, where it runs elsewhere. */
export const dnsApiRoot = orEmpty(rootAddress).default('')

/** Record `system`: IANA time zone; empty = the installation's default. */
export const systemConfig = z.object({
  timeZone: z
    .string()
    .trim()
    .max(64)
    .refine((zone) => zone === '' || isTimeZone(zone), { message: 'time_zone' })
    .default(''),
})

const isTimeZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
