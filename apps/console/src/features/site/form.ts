/** The site form: between the server's answer and the save's input. Pure; the contract's schema is the only validator. */
import type { Lang } from '@tidegate/contract/enums'
import { type FieldError, fieldErrors } from '@tidegate/contract/issues'
import type { CallOf } from '@tidegate/contract/operations/index'
import { type SiteInfo, type SiteSettings, siteIn, siteSettings } from '@tidegate/contract/operations/site'
import { lines } from '@tidegate/contract/validators'

export interface OriginForm {
  /** Identity of the row on the screen only. */
  key: string
  host: string
  httpPort: number | null
  httpsPort: number | null
  line: 'main' | 'spare'
  weight: number | null
}

export interface SiteForm {
  /** As typed, one a line. */
  domains: string
  originProtocol: 'follow' | 'http' | 'https'
  origins: OriginForm[]
  settings: SiteSettings
  remark: string
  /** The customer it belongs to; null = the operator's own. */
  owner: { id: number; name: string } | null
}

let made = 0
export const newOrigin = (): OriginForm => {
  made += 1
  return { key: `new${made}`, host: '', httpPort: 80, httpsPort: 443, line: 'main', weight: 1 }
}

export const emptyForm = (): SiteForm => ({
  domains: '',
  originProtocol: 'http',
  origins: [newOrigin()],
  settings: siteSettings.parse({}),
  remark: '',
  owner: null,
})

export const formOf = (site: SiteInfo): SiteForm => ({
  domains: site.domains.join('\n'),
  originProtocol: site.originProtocol,
  origins: site.origins.map((o, i) => ({ ...o, key: `saved${i}` })),
  settings: site.settings,
  remark: site.remark,
  owner: site.userId === null ? null : { id: site.userId, name: site.userName },
})

type Input = CallOf<'site.save'>

/** What is sent. Ports that the protocol does not use keep their defaults. */
export const inputOf = (form: SiteForm, site?: Pick<SiteInfo, 'id' | 'version'>): Input => ({
  ...(site === undefined ? {} : { id: site.id, version: site.version }),
  domains: lines(form.domains),
  originProtocol: form.originProtocol,
  origins: form.origins.map(({ host, httpPort, httpsPort, line, weight }) => ({
    host: host.trim(),
    ...(httpPort === null ? {} : { httpPort }),
    ...(httpsPort === null ? {} : { httpsPort }),
    line,
    ...(weight === null ? {} : { weight }),
  })),
  settings: form.settings,
  remark: form.remark,
  userId: form.owner?.id ?? null,
})

/** Errors of the schema, by field path. Empty when the form may be sent. */
export const validate = (input: Input, lang: Lang): FieldError[] => {
  const parsed = siteIn.safeParse(input, { reportInput: true })
  return parsed.success ? [] : fieldErrors(parsed.error, lang)
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Names of the fields that differ: settings one by one, lists as a whole. */
export const dirtyFields = (now: SiteForm, saved: SiteForm): string[] => {
  const bare = (form: SiteForm) => form.origins.map(({ key: _key, ...rest }) => rest)
  const fields: string[] = []
  if (!same(lines(now.domains), lines(saved.domains))) fields.push('domains')
  if (now.originProtocol !== saved.originProtocol) fields.push('originProtocol')
  if (!same(bare(now), bare(saved))) fields.push('origins')
  if (now.remark !== saved.remark) fields.push('remark')
  if (now.owner?.id !== saved.owner?.id) fields.push('userId')
  const names = Object.keys(now.settings) as (keyof SiteSettings)[]
  return [...fields, ...names.filter((n) => !same(now.settings[n], saved.settings[n])).map((n) => `settings.${n}`)]
}

export type TabKey = 'basic' | 'origin' | 'cache' | 'https'
const CACHE = new Set([
  'cacheEnabled',
  'cacheRules',
  'noCacheRules',
  'ignoreQuery',
  'staleWhileRevalidate',
  'staleIfError',
])
const HTTPS = new Set(['certId', 'httpsRedirect', 'redirectStatus', 'hstsMaxAge'])

/** The tab that holds a field. */
export const tabOf = (path: string): TabKey => {
  const [top = '', name = ''] = path.split('.')
  if (top === 'domains' || top === 'remark' || top === 'userId') return 'basic'
  if (top !== 'settings') return 'origin'
  if (CACHE.has(name)) return 'cache'
  return HTTPS.has(name) ? 'https' : 'origin'
}

/** The first error at a path or below it. Errors of lines name the line. */
export const errorAt = (errors: readonly FieldError[], path: string): string | undefined =>
  errors.find((e) => e.path === path)?.msg

/** All errors of a list typed one a line, with the lines they are about. */
export const lineErrors = (errors: readonly FieldError[], path: string, typed: readonly string[]): string[] =>
  errors
    .filter((e) => e.path === path || e.path.startsWith(`${path}.`))
    .map((e) => {
      const at = Number(e.path.slice(path.length + 1))
      return e.path === path ? e.msg : `${typed[at] ?? at + 1}: ${e.msg}`
    })
