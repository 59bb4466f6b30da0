/**
 * NodeConfig: what a node is told to run. It is a set of *resources*, each with a kind, a key and a content hash, so that a
 * change travels as the few resources that changed. The server compiles it (packages/node-config), the agent checks it
 * against these schemas, adds what only the node can know (addresses of origins) and hands it to the engine.
 *
 * Versioned protocol: unknown fields are ignored on both sides, so agents one release older or newer keep working.
 */
import { z } from 'zod'
import { nodeTunables } from './tunables.ts'

export const NODE_CONFIG_VERSION = 1

/** Kinds of resources of an edge node. A kind that an agent does not know is skipped and reported as such. */
export const RESOURCE_KINDS = ['settings', 'cert', 'challenge', 'site', 'purge'] as const
export const resourceKind = z.enum(RESOURCE_KINDS)
export type ResourceKind = z.infer<typeof resourceKind>

export const ORIGIN_PROTOCOLS = ['follow', 'http', 'https'] as const
export const ORIGIN_LINES = ['main', 'spare'] as const
export const ORIGIN_BALANCES = ['polling', 'iphash', 'cookie'] as const

/** One origin server. `host` is a name or an address; the agent resolves names and never the engine. */
export const originServer = z.object({
  host: z.string(),
  httpPort: z.int().min(1).max(65535),
  httpsPort: z.int().min(1).max(65535),
  line: z.enum(ORIGIN_LINES),
  weight: z.int().min(1).max(100),
})
export type OriginServer = z.infer<typeof originServer>

/** A cache or no-cache rule. `match` is matched without case for `ext`; paths are matched with case (RFC 3986, 6.2.2.1). */
export const CACHE_RULE_TYPES = ['all', 'ext', 'prefix', 'exact'] as const
export const cacheRule = z.object({
  type: z.enum(CACHE_RULE_TYPES),
  /** `ext`: "jpg|png"; `prefix` and `exact`: a path that begins with "/"; `all`: empty. */
  match: z.string(),
  /** Seconds; ignored in no-cache rules. */
  ttl: z.int().min(0).max(31_536_000),
})
export type CacheRule = z.infer<typeof cacheRule>

export const siteConfig = z.object({
  id: z.int(),
  /** Punycode, lower case, exact or with one leading "*." label; no port. */
  hosts: z.array(z.string()).min(1),
  enabled: z.boolean(),
  origin: z.object({
    protocol: z.enum(ORIGIN_PROTOCOLS),
    balance: z.enum(ORIGIN_BALANCES),
    servers: z.array(originServer).min(1),
    /** Host header sent to the origin; empty = the request's own. */
    hostHeader: z.string(),
    /** SNI and name to verify for https origins; empty = the Host header sent. */
    sni: z.string(),
    verifyTls: z.boolean(),
    /** Seconds. */
    connectTimeout: z.int().min(1).max(300),
    readTimeout: z.int().min(1).max(3600),
    /** Further origins to try after the first; 0 = until every origin was tried. */
    retries: z.int().min(0).max(10),
  }),
  cache: z.object({
    enabled: z.boolean(),
    /** In order; the first that matches decides. No rule: the origin's Cache-Control decides. */
    rules: z.array(cacheRule).max(200),
    /** Win over `rules`. */
    noCache: z.array(cacheRule).max(200),
    ignoreQuery: z.boolean(),
    /** Seconds that an expired copy may be served while it is fetched anew, or when the origin fails. */
    staleWhileRevalidate: z.int().min(0).max(86_400),
    staleIfError: z.int().min(0).max(604_800),
  }),
  https: z.object({
    /** Key of a `cert` resource; empty = the installation's self-made default certificate. */
    cert: z.string(),
    redirect: z.boolean(),
    redirectStatus: z.union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)]),
    /** max-age of Strict-Transport-Security in seconds; 0 = no header. */
    hstsMaxAge: z.int().min(0).max(63_072_000),
  }),
})
export type SiteConfig = z.infer<typeof siteConfig>

/** A certificate with its key, PEM. Keys are on the node only in files of mode 0600. */
export const certConfig = z.object({
  id: z.int(),
  /** Leaf first, then intermediates. */
  certPem: z.string(),
  keyPem: z.string(),
  /** Names the certificate covers, lower case, for choosing by SNI. */
  names: z.array(z.string()),
  /** Unix seconds. */
  notAfter: z.int(),
})
export type CertConfig = z.infer<typeof certConfig>

export const PURGE_KINDS = ['site', 'url', 'dir'] as const
/**
 * A purge. `generation` is issued by the control plane, rises over the whole installation and never goes back, so that objects
 * that outlived a restart on disk stay purged. Key: `<siteId>` for a site, `<siteId> <kind> <value>` otherwise.
 */
export const purgeConfig = z.object({
  siteId: z.int(),
  kind: z.enum(PURGE_KINDS),
  /** `url`: host + path + query ("a.example/x?y"), `dir`: host + path ending in "/", both without scheme; `site`: empty. */
  value: z.string(),
  generation: z.int(),
})
export type PurgeConfig = z.infer<typeof purgeConfig>

/**
 * An answer to an HTTP-01 challenge (RFC 8555, 8.3): `http://<host>/.well-known/acme-challenge/<token>` gives `keyAuthorization`.
 * Key: `<host> <token>`.
 */
export const challengeConfig = z.object({
  /** Punycode, lower case; never a wildcard. */
  host: z.string().min(1).max(253),
  /** base64url (RFC 8555, 8.1). */
  token: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
  /** `<token>.<thumbprint of the account's key>` */
  keyAuthorization: z.string().regex(/^[A-Za-z0-9_.-]{1,255}$/),
  /** Unix seconds; nothing is answered any more from then on. */
  expires: z.int().min(0),
})
export type ChallengeConfig = z.infer<typeof challengeConfig>

/** Settings of all sites of a node group. */
export const groupSettings = z.object({
  /** Origins at private and loopback addresses that are allowed all the same: `host:port` or CIDR; `*` = all. */
  allowedPrivateOrigins: z.array(z.string()),
  /** Largest size of the disk cache in MiB; a node may have a smaller one. */
  cacheMaxMb: z.int().min(16),
  /** Shown on error pages, e.g. the product's name. */
  brand: z.string(),
  /** What was tuned (tunables.ts); absent = nothing. */
  tunables: nodeTunables.optional(),
})
export type GroupSettings = z.infer<typeof groupSettings>

export const RESOURCE_BODIES = {
  settings: groupSettings,
  cert: certConfig,
  challenge: challengeConfig,
  site: siteConfig,
  purge: purgeConfig,
} as const

/** One resource as it travels. `body` null = removed. `hash`: sha256 hex of the canonical JSON of the body, '' when removed. */
export const resource = z.object({
  kind: z.string(),
  key: z.string(),
  hash: z.string(),
  /** Revision in which the resource last changed. */
  revision: z.int(),
  body: z.unknown().nullable(),
})
export type Resource = z.infer<typeof resource>

/** Answer to "what changed since": `base` 0 means the whole configuration, to be taken in place of what the node has. */
export const configDelta = z.object({
  version: z.int(),
  scope: z.string(),
  base: z.int(),
  revision: z.int(),
  resources: z.array(resource),
})
export type ConfigDelta = z.infer<typeof configDelta>
