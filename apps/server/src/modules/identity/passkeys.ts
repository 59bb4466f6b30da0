/** Passkeys as a second factor (WebAuthn Level 2), bound to the domain that the console is open at. */
import { isIP } from 'node:net'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import { row, rows } from '../../platform/query.ts'
import { ownedBy, ownerValues } from './owned.ts'
import type { Owner } from './sessions.ts'

/** What the browser's calls take and give; the library checks its inside. */
type Json = Record<string, unknown>

/** Where a passkey is good: domain, and the origin that the browser must name. */
export interface Site {
  rpId: string
  origin: string
}

export interface Passkeys {
  /** null: WebAuthn knows domains only, and only over https or at localhost. */
  siteOf(caller: Caller): Site | null
  beginRegistration(
    on: Queryable,
    owner: Owner,
    site: Site,
    name: string,
  ): Promise<{ options: Json; challenge: string }>
  /** Stores the passkey; false: the answer is not right, or the passkey is known already. */
  register(tx: Queryable, owner: Owner, site: Site, challenge: string, response: Json, name: string): Promise<boolean>
  /** null: no passkey of this account is good here. */
  beginLogin(owner: Owner, site: Site | null): Promise<{ options: Json; challenge: string } | null>
  login(owner: Owner, site: Site | null, challenge: string, response: Json): Promise<boolean>
}

interface Deps {
  db: Db
  clock: Clock
  /** Operator's own address of the installation; undefined: that of the request. */
  publicUrl(): string | undefined
}

interface Stored {
  id: number
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: string[]
}

const siteAt = (address: string | undefined): Site | null => {
  if (!address || !URL.canParse(address)) return null
  const { hostname, origin, protocol } = new URL(address)
  const secure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return secure && isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { rpId: hostname, origin } : null
}

export const createPasskeys = ({ db, clock, publicUrl }: Deps): Passkeys => {
  const now = () => new Date(clock.now()).toISOString()
  const stored = (on: Queryable, owner: Owner, rpId: string): Promise<Stored[]> =>
    rows<Stored>(
      on,
      sql`SELECT id, credential_id AS "credentialId", public_key AS "publicKey", counter, transports FROM second_factor
        WHERE ${ownedBy(owner)} AND kind = 'passkey' AND rp_id = ${rpId} ORDER BY id`,
    )
  const descriptors = (known: readonly Stored[]) =>
    known.map(({ credentialId, transports }) => ({ id: credentialId, transports }))
  return {
    siteOf: (caller) => siteAt(publicUrl() ?? caller.origin),
    beginRegistration: async (on, owner, { rpId }, name) => {
      const options = await generateRegistrationOptions({
        rpName: 'Tidegate',
        rpID: rpId,
        userName: name,
        excludeCredentials: descriptors(await stored(on, owner, rpId)),
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
      })
      return { options: { ...options }, challenge: options.challenge }
    },
    register: async (tx, owner, site, challenge, response, name) => {
      const result = await verifyRegistrationResponse({
        response: response as unknown as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.rpId,
        requireUserVerification: false,
      }).catch(() => null)
      if (!result?.verified) return false
      const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential
      const made = await row(
        tx,
        sql`INSERT INTO second_factor (admin_id, customer_id, kind, name, credential_id, public_key, counter, transports, rp_id,
            confirmed_at, created_at)
          VALUES (${ownerValues(owner)}, 'passkey', ${name}, ${id}, ${Buffer.from(publicKey)}, ${counter},
            ${sql.param(transports)}::text[], ${site.rpId}, ${now()}, ${now()})
          ON CONFLICT (credential_id) DO NOTHING RETURNING id`,
      )
      return made !== undefined
    },
    beginLogin: async (owner, site) => {
      const known = site === null ? [] : await stored(db, owner, site.rpId)
      if (site === null || known.length === 0) return null
      const options = await generateAuthenticationOptions({
        rpID: site.rpId,
        allowCredentials: descriptors(known),
        userVerification: 'preferred',
      })
      return { options: { ...options }, challenge: options.challenge }
    },
    login: async (owner, site, challenge, response) => {
      const known = site === null ? [] : await stored(db, owner, site.rpId)
      const used = known.find((one) => one.credentialId === response.id)
      if (site === null || used === undefined) return false
      const result = await verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.rpId,
        requireUserVerification: false,
        credential: {
          id: used.credentialId,
          publicKey: new Uint8Array(used.publicKey),
          counter: Number(used.counter),
          transports: used.transports,
        },
      }).catch(() => null)
      if (!result?.verified) return false
      await db.execute(
        sql`UPDATE second_factor SET counter = ${result.authenticationInfo.newCounter}, used_at = ${now()} WHERE id = ${used.id}`,
      )
      return true
    },
  }
}
