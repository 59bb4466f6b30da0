/** Sites, as the console edits them. `siteSettings` are all parts beside domains and origins; every part has a default. */
import { z } from 'zod'
import { MAX_CACHE_RULES, MAX_CACHE_TTL, MAX_DOMAINS_PER_SITE, MAX_ORIGINS_PER_SITE } from '../limits.ts'
import { CACHE_RULE_TYPES, ORIGIN_BALANCES, ORIGIN_LINES, ORIGIN_PROTOCOLS } from '../node/config.ts'
import { id, idIn, ids, int, operation, pageIn, pageOut } from '../operation.ts'
import { domainList, fail, originHost, port } from '../validators.ts'

export const originIn = z.object({
  host: originHost,
  /** For a fixed protocol: the port of that protocol. */
  port: port.optional(),
  httpPort: port.optional(),
  httpsPort: port.optional(),
  line: z.enum(ORIGIN_LINES).default('main'),
  weight: int.min(1).max(100).default(1),
})

const ruleIn = z
  .object({
    type: z.enum(CACHE_RULE_TYPES),
    match: z.string().trim().max(1000).default(''),
    ttl: int.min(0).max(MAX_CACHE_TTL).default(0),
  })
  .superRefine((rule, ctx) => {
    if (rule.type === 'ext' && !/^[a-z0-9]+(\|[a-z0-9]+)*$/i.test(rule.match)) fail(ctx, 'invalid', {}, ['match'])
    if ((rule.type === 'prefix' || rule.type === 'exact') && !rule.match.startsWith('/'))
      fail(ctx, 'invalid', {}, ['match'])
  })

export const siteSettings = z.object({
  balance: z.enum(ORIGIN_BALANCES).default('polling'),
  hostHeader: z
    .string()
    .trim()
    .max(255)
    .regex(/^[A-Za-z0-9.:_-]*$/, { error: 'invalid' })
    .default(''),
  sni: z
    .string()
    .trim()
    .max(255)
    .regex(/^[A-Za-z0-9._-]*$/, { error: 'invalid' })
    .default(''),
  verifyTls: z.boolean().default(false),
  connectTimeout: int.min(1).max(300).default(30),
  readTimeout: int.min(1).max(3600).default(60),
  retries: int.min(0).max(10).default(0),
  cacheEnabled: z.boolean().default(true),
  cacheRules: z.array(ruleIn).max(MAX_CACHE_RULES).default([]),
  noCacheRules: z.array(ruleIn).max(MAX_CACHE_RULES).default([]),
  ignoreQuery: z.boolean().default(false),
  staleWhileRevalidate: int.min(0).max(86_400).default(0),
  staleIfError: int.min(0).max(604_800).default(0),
  certId: id.nullable().default(null),
  httpsRedirect: z.boolean().default(false),
  redirectStatus: z.union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)]).default(301),
  hstsMaxAge: int.min(0).max(63_072_000).default(0),
})
export type SiteSettings = z.infer<typeof siteSettings>

/** Some of the settings: what is left out stays as it is. Without the defaults, which zod would fill in for what is absent. */
const withoutDefaults = Object.fromEntries(
  Object.entries(siteSettings.shape).map(([name, field]) => [name, field.unwrap().optional()]),
)
export const siteSettingsPatch: z.ZodType<Partial<SiteSettings>, Partial<z.input<typeof siteSettings>>> = z.object(
  withoutDefaults,
)

export const siteIn = z.object({
  id: id.optional(),
  /** The customer it belongs to; null = nobody. Absent: as it is. Customers' own sites are theirs. */
  userId: id.nullable().optional(),
  groupId: id.optional(),
  domains: domainList(MAX_DOMAINS_PER_SITE),
  originProtocol: z.enum(ORIGIN_PROTOCOLS),
  origins: z
    .array(originIn)
    .min(1, { error: 'required' })
    .max(MAX_ORIGINS_PER_SITE)
    .superRefine((list, ctx) => {
      if (!list.some((o) => o.line === 'main')) fail(ctx, 'main_origin')
    }),
  settings: siteSettingsPatch.optional(),
  remark: z.string().max(255).optional(),
  /** Version that the form was opened with; another one in the meantime is a conflict. Absent: no check. */
  version: int.optional(),
})
export type SiteIn = z.infer<typeof siteIn>

export const pushRef = z.object({ scope: z.string(), revision: z.int() })

export const siteRow = z.object({
  id: z.int(),
  /** The customer it belongs to; null = the operator's own. */
  userId: z.int().nullable(),
  userName: z.string(),
  domains: z.array(z.string()),
  cname: z.string(),
  enabled: z.boolean(),
  groupId: z.int(),
  groupName: z.string(),
  originProtocol: z.enum(ORIGIN_PROTOCOLS),
  origins: z.array(z.string()),
  certId: z.int().nullable(),
  certNotAfter: z.string(),
  /** Counts of nodes: in the group, running the wanted version, refusing it. */
  nodes: z.int(),
  nodesLive: z.int(),
  nodesRefused: z.int(),
  revision: z.int(),
  updateTime: z.string(),
  createTime: z.string(),
  remark: z.string(),
})
export type SiteRow = z.infer<typeof siteRow>

const originOut = z.object({
  host: z.string(),
  httpPort: z.int(),
  httpsPort: z.int(),
  line: z.enum(ORIGIN_LINES),
  weight: z.int(),
})

export const siteInfo = siteRow.extend({ origins: z.array(originOut), settings: siteSettings, version: z.int() })
export type SiteInfo = z.infer<typeof siteInfo>

const historyRow = z.object({
  version: z.int(),
  revision: z.int(),
  time: z.string(),
  by: z.string(),
  reason: z.string(),
  domains: z.array(z.string()),
})

export const siteOperations = [
  operation({
    id: 'site.list',
    method: 'POST',
    path: 'sys/cdn/site/list',
    audience: 'any',
    permission: 'cdn:site:list',
    effect: 'read',
    input: pageIn.extend({
      groupId: id.optional(),
      enabled: z.boolean().optional(),
      userId: id.optional(),
      /** Those whose certificate ends within so many days, or has ended. */
      certDays: int.min(0).max(3650).optional(),
    }),
    output: pageOut(siteRow),
  }),
  operation({
    id: 'site.info',
    method: 'GET',
    path: 'sys/cdn/site/info/{id}',
    audience: 'any',
    permission: 'cdn:site:list',
    effect: 'read',
    input: idIn,
    output: z.object({ data: siteInfo }),
  }),
  operation({
    id: 'site.save',
    method: 'POST',
    path: 'sys/cdn/site/save',
    audience: 'any',
    permission: 'cdn:site:save',
    effect: 'write',
    input: siteIn,
    output: z.object({ id: z.int(), push: pushRef, version: z.int() }),
  }),
  operation({
    id: 'site.enable',
    method: 'POST',
    path: 'sys/cdn/site/enable',
    audience: 'any',
    permission: 'cdn:site:save',
    effect: 'write',
    input: z.object({ ids, enabled: z.boolean() }),
    output: z.object({ push: z.array(pushRef) }),
  }),
  operation({
    id: 'site.delete',
    method: 'POST',
    path: 'sys/cdn/site/delete',
    audience: 'any',
    permission: 'cdn:site:delete',
    effect: 'write',
    input: z.object({ ids }),
    output: z.object({ push: z.array(pushRef) }),
  }),
  operation({
    id: 'site.history',
    method: 'POST',
    path: 'sys/cdn/site/history',
    audience: 'any',
    permission: 'cdn:site:list',
    effect: 'read',
    input: pageIn.extend({ id }),
    output: pageOut(historyRow),
  }),
  operation({
    /** Makes an old version current again, as a new revision. */
    id: 'site.rollback',
    method: 'POST',
    path: 'sys/cdn/site/rollback',
    audience: 'any',
    permission: 'cdn:site:save',
    effect: 'write',
    input: z.object({ id, version: int.min(1) }),
    output: z.object({ id: z.int(), push: pushRef, version: z.int() }),
  }),
]
