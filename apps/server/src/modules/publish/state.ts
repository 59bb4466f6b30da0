/** Loads the rows behind resources of one scope and compiles them: what the publisher and the resync compare with what nodes have. */
import type { ChallengeConfig, ResourceKind } from '@tidegate/contract/node/config'
import { hashOf } from '@tidegate/contract/node/hash'
import {
  CompileError,
  challengeKey,
  compileCert,
  compileChallenge,
  compilePurge,
  compileSettings,
  compileSite,
  type GroupState,
  type PurgeState,
  parseChallengeKey,
  parsePurgeKey,
  purgeKey,
  SETTINGS_KEY,
  type SiteState,
} from '@tidegate/node-config/compile'
import type { PoolClient } from 'pg'
import type { Secrets } from '../../platform/secrets.ts'

export interface Compiled {
  kind: ResourceKind
  key: string
  /** As it is stored: a certificate's private key sealed. null = not part of the scope (any more). */
  body: unknown
  /** Of the body as nodes get it; '' when null. */
  hash: string
  /** Why it does not compile; body and hash mean nothing then. */
  error?: string
}

export interface CompileContext {
  secrets: Secrets
  /** TIDEGATE_ALLOW_PRIVATE_ORIGINS */
  allowPrivateOrigins: boolean
}

/** What a private key is bound to where it is sealed. */
export const certKeyAad = (id: number | string) => `cert ${id} key`

const groupOf = (scope: string) => Number(scope.slice('group:'.length))
type Loader = (client: PoolClient, context: CompileContext, group: number, keys: string[]) => Promise<Compiled[]>

/** Compiles the named resources of a scope; keys that have no row give a removal. Runs in the client's transaction. */
export const compileKeys = async (
  client: PoolClient,
  context: CompileContext,
  scope: string,
  kind: ResourceKind,
  keys: string[],
): Promise<Compiled[]> => {
  const found = await LOADERS[kind](client, context, groupOf(scope), keys)
  const have = new Set(found.map((c) => c.key))
  return [...found, ...keys.filter((key) => !have.has(key)).map((key) => ({ kind, key, body: null, hash: '' }))]
}

const attempt = <T>(kind: ResourceKind, key: string, compile: () => T, stored: (body: T) => unknown): Compiled => {
  try {
    const body = compile()
    return { kind, key, body: stored(body), hash: hashOf(body) }
  } catch (error) {
    const text = error instanceof CompileError ? error.message : 'the stored secret cannot be opened'
    return { kind, key, body: null, hash: '', error: text.slice(0, 2000) }
  }
}
const asIs = (body: unknown) => body

const loadSites: Loader = async (client, _context, group, keys) => {
  const { rows } = await client.query<SiteState>(
    `SELECT id, domains, enabled, origin_protocol AS "originProtocol", origins, settings, cert_id AS "certId"
     FROM site WHERE id = ANY($1::bigint[]) AND group_id = $2`,
    [keys, group],
  )
  return rows.map((site) => attempt('site', String(site.id), () => compileSite(site), asIs))
}

interface CertRow {
  id: number
  certPem: string
  keySealed: string
  names: string[]
  notAfter: number
}

/** Certificates belong to a scope as long as one of its sites uses them. */
const loadCerts: Loader = async (client, { secrets }, group, keys) => {
  const { rows } = await client.query<CertRow>(
    `SELECT id, cert_pem AS "certPem", key_sealed AS "keySealed", names, extract(epoch FROM not_after)::bigint AS "notAfter"
     FROM cert c WHERE id = ANY($1::bigint[]) AND EXISTS (SELECT FROM site s WHERE s.cert_id = c.id AND s.group_id = $2)`,
    [keys, group],
  )
  return rows.map(({ keySealed, ...cert }) =>
    attempt(
      'cert',
      String(cert.id),
      () => compileCert({ ...cert, keyPem: secrets.open(keySealed, certKeyAad(cert.id)) }),
      (body) => ({ ...body, keyPem: keySealed }),
    ),
  )
}

/** Those whose time is over are not part of the scope: the resync takes away what an order that was given up left behind. */
const loadChallenges: Loader = async (client, _context, group, keys) => {
  const parts = keys.map(parseChallengeKey)
  const { rows } = await client.query<ChallengeConfig>(
    `SELECT c.host, c.token, c.key_authorization AS "keyAuthorization", extract(epoch FROM c.expires_at)::bigint AS expires
     FROM unnest($1::text[], $2::text[]) AS k (host, token) JOIN cert_challenge c USING (host, token)
     WHERE c.group_id = $3 AND c.expires_at > now()`,
    [parts.map((p) => p.host), parts.map((p) => p.token), group],
  )
  return rows.map((c) => attempt('challenge', challengeKey(c.host, c.token), () => compileChallenge(c), asIs))
}

const loadPurges: Loader = async (client, _context, group, keys) => {
  const parts = keys.map(parsePurgeKey)
  const { rows } = await client.query<PurgeState>(
    `SELECT p.site_id AS "siteId", p.kind, p.value, p.generation
     FROM unnest($1::bigint[], $2::text[], $3::text[]) AS k (site_id, kind, value)
     JOIN purge_row p USING (site_id, kind, value) JOIN site s ON s.id = p.site_id AND s.group_id = $4`,
    [parts.map((p) => p.siteId), parts.map((p) => p.kind), parts.map((p) => p.value), group],
  )
  return rows.map((p) => attempt('purge', purgeKey(p.siteId, p.kind, p.value), () => compilePurge(p), asIs))
}

const loadSettings: Loader = async (client, { allowPrivateOrigins }, group) => {
  const { rows } = await client.query<GroupState>(
    `SELECT allowed_private_origins AS "allowedPrivateOrigins", cache_max_mb AS "cacheMaxMb", brand,
       (SELECT COALESCE(jsonb_object_agg(substr(key, 6), value), '{}') FROM runtime_variable WHERE key LIKE 'node.%') AS tunables
     FROM node_group WHERE id = $1`,
    [group],
  )
  return rows.map((g) => {
    const allowed = allowPrivateOrigins ? [...g.allowedPrivateOrigins, '*'] : g.allowedPrivateOrigins
    return attempt('settings', SETTINGS_KEY, () => compileSettings({ ...g, allowedPrivateOrigins: allowed }), asIs)
  })
}

const LOADERS: Record<ResourceKind, Loader> = {
  site: loadSites,
  cert: loadCerts,
  challenge: loadChallenges,
  purge: loadPurges,
  settings: loadSettings,
}

const KEYS_OF: Record<ResourceKind, string> = {
  site: `SELECT id::text AS key FROM site WHERE group_id = $1`,
  cert: `SELECT DISTINCT cert_id::text AS key FROM site WHERE group_id = $1 AND cert_id IS NOT NULL`,
  challenge: `SELECT host || ' ' || token AS key FROM cert_challenge WHERE group_id = $1 AND expires_at > now()`,
  purge: `SELECT p.site_id || CASE p.kind WHEN 'site' THEN '' ELSE ' ' || p.kind || ' ' || p.value END AS key
    FROM purge_row p JOIN site s ON s.id = p.site_id AND s.group_id = $1`,
  settings: `SELECT '${SETTINGS_KEY}' AS key WHERE $1::bigint > 0`,
}

/** Every key that a scope should have or has. */
export const allKeys = async (client: PoolClient, scope: string, kind: ResourceKind): Promise<string[]> => {
  const { rows } = await client.query<{ key: string }>(
    `${KEYS_OF[kind]} UNION SELECT key FROM config_current WHERE scope = $2 AND kind = $3`,
    [groupOf(scope), scope, kind],
  )
  return rows.map((r) => r.key)
}
