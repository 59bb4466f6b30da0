/** Login of administrators at an OpenID provider of the operator's: code flow with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 7636, RFC 9207). */
import { randomBytes } from 'node:crypto'
import type { OidcConfig } from '@tidegate/contract/config/oidc'
import { sql } from 'drizzle-orm'
import * as openid from 'openid-client'
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { row } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { type ProofDeps, provePassword } from './account.ts'
import { type Account, accountNamed, accountOf } from './accounts.ts'
import { type EnterDeps, enter } from './enter.ts'
import { consoleAddress } from './outside.ts'
import type { Owner } from './sessions.ts'
import type { Tickets } from './tickets.ts'

export interface OidcDeps extends EnterDeps, ProofDeps {
  tickets: Tickets
  oidcConfig(): Promise<OidcConfig>
  /** The installation's own address; undefined: that of the request. */
  publicUrl(): string | undefined
  mustAllowAddress(owner: Owner, ip: string): Promise<void>
}

const TIMEOUT_S = 10
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** The operator's own issuer may be anywhere, but not without TLS beyond this machine. */
const issuerOf = ({ issuer }: OidcConfig): { url: URL; plain: boolean } => {
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  const plain = url?.protocol === 'http:' && LOOPBACK.test(url.hostname)
  if (url === null || !(url.protocol === 'https:' || plain)) throw new AppError('oidc_unreachable')
  return { url, plain }
}

const clientOf = async (config: OidcConfig): Promise<openid.Configuration> => {
  if (!config.enabled) throw new AppError('oidc_off')
  const { url, plain } = issuerOf(config)
  try {
    return await openid.discovery(url, config.clientId, config.clientSecret, undefined, {
      timeout: TIMEOUT_S,
      ...(plain && { execute: [openid.allowInsecureRequests] }),
    })
  } catch (cause) {
    throw new AppError('oidc_unreachable', { cause })
  }
}

/** `owner`: the account that is to be linked. */
const begin = async (deps: OidcDeps, caller: Caller, owner: Owner | null) => {
  const client = await clientOf(await deps.oidcConfig())
  const [verifier, state, nonce] = [openid.randomPKCECodeVerifier(), openid.randomState(), openid.randomNonce()]
  const redirect = consoleAddress(deps.publicUrl(), caller, 'admin')
  const url = openid.buildAuthorizationUrl(client, {
    redirect_uri: redirect,
    scope: 'openid profile email',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  const ticket = await deps.tickets.issue(deps.db, 'oidc', owner, { verifier, state, nonce, redirect })
  return { url: url.href, ticket }
}

type Claims = Readonly<Record<string, unknown>> & { iss: string; sub: string }

/** Who has logged in there. Throws `oidc_failed` for whatever is not right with the answer. */
const claimsOf = async (config: OidcConfig, query: string, data: Record<string, unknown>): Promise<Claims> => {
  const client = await clientOf(config)
  const back = new URL(String(data.redirect))
  back.search = query
  try {
    const tokens = await openid.authorizationCodeGrant(client, back, {
      pkceCodeVerifier: String(data.verifier),
      expectedState: String(data.state),
      expectedNonce: String(data.nonce),
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims) return claims
  } catch (cause) {
    throw new AppError('oidc_failed', { cause })
  }
  throw new AppError('oidc_failed')
}

const mustBeAllowed = ({ claim, claimValue }: OidcConfig, claims: Claims) => {
  if (claim === '') return
  const held = claims[claim]
  if (!(Array.isArray(held) ? held.map(String) : [String(held ?? '')]).includes(claimValue))
    throw new AppError('oidc_not_allowed')
}

/** A name in the form of our accounts that nobody has. */
const freeName = async (tx: Tx, claims: Claims): Promise<string> => {
  const wish = String(claims.preferred_username ?? claims.email ?? claims.sub).replace(/[^A-Za-z0-9@._-]/g, '')
  const base = (wish.length < 4 ? `oidc-${wish}` : wish).slice(0, 27)
  if (!(await accountNamed(tx, 'admin', base))) return base
  return `${base}-${randomBytes(2).toString('hex')}`
}

/** The provider is the new account's only way in: nobody knows its password. */
const create = async (tx: Tx, at: string, roleId: number, claims: Claims, passwordHash: string): Promise<number> => {
  const role = await row<{ isSuper: boolean }>(tx, sql`SELECT is_super AS "isSuper" FROM role WHERE id = ${roleId}`)
  // Nobody becomes a super administrator by logging in.
  if (!role || role.isSuper) throw new AppError('oidc_unknown')
  const made = await row<{ id: number }>(
    tx,
    sql`INSERT INTO admin (username, password_hash, created_at, password_at)
      VALUES (${await freeName(tx, claims)}, ${passwordHash}, ${at}, ${at}) RETURNING id`,
  )
  const id = Number(made?.id)
  await tx.execute(sql`INSERT INTO admin_role (admin_id, role_id) VALUES (${id}, ${roleId})`)
  return id
}

const link = (tx: Tx, { iss, sub }: Claims, id: number, at: string) =>
  tx.execute(sql`INSERT INTO admin_identity (issuer, subject, admin_id, created_at) VALUES (${iss}, ${sub}, ${id}, ${at})
    ON CONFLICT (issuer, subject) DO UPDATE SET admin_id = excluded.admin_id`)

/** The administrator who is linked; else linked or made now, where that may be. */
const resolve = async (deps: OidcDeps, config: OidcConfig, claims: Claims, linkTo: Owner | null): Promise<Account> => {
  const unknowable = await deps.hasher.hash(randomBytes(24).toString('base64'))
  return deps.db.transaction(async (tx) => {
    const at = new Date(deps.clock.now()).toISOString()
    const { iss, sub } = claims
    const known = await row<{ id: number }>(
      tx,
      sql`SELECT admin_id AS id FROM admin_identity WHERE issuer = ${iss} AND subject = ${sub}`,
    )
    let id = linkTo?.id ?? known?.id
    if (id === undefined) {
      if (config.autoCreateRole === null) throw new AppError('oidc_unknown')
      id = await create(tx, at, config.autoCreateRole, claims, unknowable)
      await audit(tx, null, { action: 'admin.create', target: `admin ${id}`, after: { issuer: iss, subject: sub } })
    }
    if (Number(id) !== Number(known?.id)) await link(tx, claims, Number(id), at)
    const account = await accountOf(tx, { kind: 'admin', id: Number(id) })
    if (!account) throw new AppError('oidc_unknown')
    return account
  })
}

export const createOidc = (deps: OidcDeps): Handlers<'auth.oidcStart' | 'auth.oidcLink' | 'auth.oidcFinish'> => ({
  'auth.oidcStart': (_input, caller) => begin(deps, caller, null),
  'auth.oidcLink': async ({ password }, caller) => {
    const { account, attempt } = await provePassword(deps, caller, password)
    await attempt.voided(deps.db)
    return begin(deps, caller, account)
  },
  'auth.oidcFinish': async ({ ticket, query }, caller) => {
    const found = await deps.tickets.take(deps.db, 'oidc', ticket)
    if (!found) throw new AppError('ticket_expired')
    const config = await deps.oidcConfig()
    const claims = await claimsOf(config, query, found.data)
    mustBeAllowed(config, claims)
    const account = await resolve(deps, config, claims, found.owner)
    if (!account.enabled) throw new AppError('account_disabled')
    await deps.mustAllowAddress(account, caller.ip)
    return enter(deps, account, caller, { action: 'auth.oidcFinish', strong: true })
  },
})
