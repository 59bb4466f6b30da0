/**
 * State of the control plane -> NodeConfig resources. Pure: the same state gives the same bodies, to the byte of their canonical JSON.
 * Each function throws CompileError when what is stored cannot become a body that nodes would take.
 */

import {
  type CertConfig,
  type ChallengeConfig,
  certConfig,
  challengeConfig,
  type GroupSettings,
  groupSettings,
  type OriginServer,
  type PurgeConfig,
  purgeConfig,
  type SiteConfig,
  siteConfig,
} from '@tidegate/contract/node/config'
import type { SiteSettings } from '@tidegate/contract/operations/site'

/** Why a resource does not compile; `message` names the fields. */
export class CompileError extends Error {
  override name = 'CompileError'
}

export interface SiteState {
  id: number
  domains: string[]
  enabled: boolean
  originProtocol: string
  origins: OriginServer[]
  settings: SiteSettings
  certId: number | null
}

export interface CertState {
  id: number
  certPem: string
  /** Plain PEM: it leaves the control plane only towards nodes. */
  keyPem: string
  names: string[]
  /** Unix seconds. */
  notAfter: number
}

export interface PurgeState {
  siteId: number
  kind: string
  value: string
  generation: number
}

export interface GroupState {
  allowedPrivateOrigins: string[]
  cacheMaxMb: number
  brand: string
  /** By name; empty = nothing was tuned. */
  tunables?: Readonly<Record<string, unknown>>
}

interface Schema<T> {
  safeParse(
    body: unknown,
  ): { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } }
}

const checked = <T>(schema: Schema<T>, body: unknown): T => {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new CompileError(parsed.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; '))
}

/** Hosts are sorted (their order means nothing); origins and rules keep theirs (it decides). */
export const compileSite = (site: SiteState): SiteConfig => {
  const s = site.settings
  return checked(siteConfig, {
    id: site.id,
    hosts: [...new Set(site.domains)].sort(),
    enabled: site.enabled,
    origin: {
      protocol: site.originProtocol,
      balance: s.balance,
      servers: site.origins,
      hostHeader: s.hostHeader,
      sni: s.sni,
      verifyTls: s.verifyTls,
      connectTimeout: s.connectTimeout,
      readTimeout: s.readTimeout,
      retries: s.retries,
    },
    cache: {
      enabled: s.cacheEnabled,
      rules: s.cacheRules,
      noCache: s.noCacheRules,
      ignoreQuery: s.ignoreQuery,
      staleWhileRevalidate: s.staleWhileRevalidate,
      staleIfError: s.staleIfError,
    },
    https: {
      cert: site.certId === null ? '' : String(site.certId),
      redirect: s.httpsRedirect,
      redirectStatus: s.redirectStatus,
      hstsMaxAge: s.hstsMaxAge,
    },
  })
}

export const compileCert = (cert: CertState): CertConfig =>
  checked(certConfig, { ...cert, names: [...new Set(cert.names)].sort() })

export const compileChallenge = (challenge: ChallengeConfig): ChallengeConfig => checked(challengeConfig, challenge)

export const compilePurge = (purge: PurgeState): PurgeConfig => checked(purgeConfig, purge)

export const compileSettings = (group: GroupState): GroupSettings =>
  checked(groupSettings, {
    allowedPrivateOrigins: [...new Set(group.allowedPrivateOrigins)].sort(),
    cacheMaxMb: group.cacheMaxMb,
    brand: group.brand,
    ...(group.tunables && Object.keys(group.tunables).length > 0 && { tunables: group.tunables }),
  })

/** Key of a purge: one a site for `site`, one a value otherwise. */
export const purgeKey = (siteId: number, kind: string, value: string): string =>
  kind === 'site' ? String(siteId) : `${siteId} ${kind} ${value}`

/** The parts of a purge's key. */
export const parsePurgeKey = (key: string): { siteId: number; kind: string; value: string } => {
  const [siteId = '', kind = 'site', ...value] = key.split(' ')
  return { siteId: Number(siteId), kind, value: value.join(' ') }
}

/** Key of a challenge: a token is answered for the name that it was given out for. */
export const challengeKey = (host: string, token: string): string => `${host} ${token}`

/** The parts of a challenge's key. */
export const parseChallengeKey = (key: string): { host: string; token: string } => {
  const [host = '', token = ''] = key.split(' ')
  return { host, token }
}

/** Key of the one `settings` resource of a scope. */
export const SETTINGS_KEY = 'group'
