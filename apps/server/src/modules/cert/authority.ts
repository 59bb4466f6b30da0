/** Certificate authorities: their settings, and our accounts there. Secrets are sealed and never part of an answer. */

import { X509Certificate } from 'node:crypto'
import { CERT_AUTHORITIES, type CertAuthorityKind, certText } from '@tidegate/contract/cert'
import { SECRET_MASK } from '@tidegate/contract/config/record'
import type { AuthorityIn, AuthorityRow } from '@tidegate/contract/operations/cert'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Db, Queryable, Tx } from '../../platform/db.ts'
import { AppError, fieldError } from '../../platform/errors.ts'
import { iso, row, rows, sqlState } from '../../platform/query.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { audit } from '../audit/index.ts'
import { type AcmeClient, openAcme, readDirectory } from './acme/client.ts'
import { AcmeError, faultOfError, OrderFault } from './acme/errors.ts'
import { newKeyPem, readAccountKey } from './acme/jws.ts'
import type { CertModuleDeps } from './deps.ts'

export interface Authority {
  id: number
  name: string
  kind: CertAuthorityKind
  directoryUrl: string
  caBundle: string
  email: string
  eabKid: string
  eabKeySealed: string
  enabled: boolean
  accountKeySealed: string
  accountUrl: string
}

const eabAad = (id: number) => `cert_authority ${id} eab`
const accountAad = (id: number) => `cert_authority ${id} account`

export const loadAuthority = (on: Queryable, id: number): Promise<Authority | undefined> =>
  row<Authority>(
    on,
    sql`SELECT id, name, kind, directory_url AS "directoryUrl", ca_bundle AS "caBundle", email, eab_kid AS "eabKid", enabled,
          eab_key_sealed AS "eabKeySealed", account_key_sealed AS "accountKeySealed", account_url AS "accountUrl"
        FROM cert_authority WHERE id = ${id}`,
  )

/** The named one, or the usual one. Throws a field error, or `no_authority`. */
export const chooseAuthority = async (on: Queryable, id: number | undefined): Promise<number> => {
  const found = await row<{ id: number }>(
    on,
    id === undefined
      ? sql`SELECT id FROM cert_authority WHERE enabled ORDER BY is_default DESC, id LIMIT 1`
      : sql`SELECT id FROM cert_authority WHERE id = ${id} AND enabled`,
  )
  if (found) return found.id
  throw id === undefined ? new AppError('no_authority') : fieldError('authorityId', 'invalid')
}

export const choices = async (db: Db) => ({
  data: await rows<{ id: number; name: string; isDefault: boolean }>(
    db,
    sql`SELECT id, name, is_default AS "isDefault" FROM cert_authority WHERE enabled ORDER BY is_default DESC, lower(name)`,
  ),
})

export const listAuthorities = async (db: Db): Promise<AuthorityRow[]> => {
  const found = await rows<Omit<AuthorityRow, 'eabKey'> & { hasKey: boolean }>(
    db,
    sql`SELECT a.id, a.name, a.kind, a.directory_url AS "directoryUrl", a.ca_bundle AS "caBundle", a.email, a.eab_kid AS "eabKid",
          a.eab_key_sealed <> '' AS "hasKey", a.enabled, a.is_default AS "isDefault", a.account_url AS "accountUrl",
          a.account_at AS "accountTime", a.updated_at AS "updateTime",
          (SELECT count(*) FROM cert c WHERE c.authority_id = a.id) AS certs
        FROM cert_authority a ORDER BY a.is_default DESC, lower(a.name)`,
  )
  return found.map(({ hasKey, ...a }) => ({
    ...a,
    eabKey: hasKey ? SECRET_MASK : '',
    accountTime: iso(a.accountTime),
    updateTime: iso(a.updateTime),
  }))
}

const isPem = (text: string): boolean => {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.length > 0 && blocks.every((block) => new X509Certificate(block).raw.length > 0)
  } catch {
    return false
  }
}

interface Deps {
  database: CertModuleDeps['database']
  secrets: Secrets
}

/** Another directory or another binding is another account: it is made at the next order. */
export const saveAuthority = async ({ database, secrets }: Deps, input: AuthorityIn, caller: Caller) => {
  const directoryUrl = input.kind === 'custom' ? input.directoryUrl : CERT_AUTHORITIES[input.kind].url
  const caBundle = input.kind === 'custom' ? input.caBundle : ''
  if (caBundle !== '' && !isPem(caBundle)) throw fieldError('caBundle', 'certificate')
  return database.db.transaction(async (tx) => {
    const before = input.id === undefined ? undefined : await lock(tx, input.id)
    if (input.id !== undefined && !before) throw new AppError('not_found')
    const id = before?.id ?? (await nextId(tx))
    const keeps = input.eabKey === SECRET_MASK
    if (keeps && (before?.eabKeySealed ?? '') === '') throw fieldError('eabKey', 'required')
    // Another directory must not be handed the stored secret.
    if (keeps && before?.directoryUrl !== directoryUrl) throw fieldError('eabKey', 'secret_again')
    const sealed = keeps
      ? (before?.eabKeySealed ?? '')
      : input.eabKey === ''
        ? ''
        : secrets.seal(input.eabKey, eabAad(id))
    const same =
      before?.directoryUrl === directoryUrl && before.eabKid === input.eabKid && (keeps || input.eabKey === '')
    if (input.isDefault)
      await tx.execute(sql`UPDATE cert_authority SET is_default = false WHERE is_default AND id <> ${id}`)
    const { name, kind, email, eabKid, enabled, isDefault } = input
    try {
      await tx.execute(sql`INSERT INTO cert_authority (id, name, kind, directory_url, ca_bundle, email, eab_kid, eab_key_sealed, enabled, is_default)
        OVERRIDING SYSTEM VALUE VALUES (${id}, ${name}, ${kind}, ${directoryUrl}, ${caBundle}, ${email}, ${eabKid}, ${sealed}, ${enabled}, ${isDefault})
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, directory_url = excluded.directory_url,
          ca_bundle = excluded.ca_bundle, email = excluded.email, eab_kid = excluded.eab_kid, eab_key_sealed = excluded.eab_key_sealed,
          enabled = excluded.enabled, is_default = excluded.is_default, updated_at = now()`)
    } catch (error) {
      if (sqlState(error) === '23505') throw new AppError('name_taken', { params: { name } })
      throw error
    }
    if (!same)
      await tx.execute(
        sql`UPDATE cert_authority SET account_key_sealed = '', account_url = '', account_at = NULL WHERE id = ${id}`,
      )
    const shown = (a: {
      name: string
      kind: string
      directoryUrl: string
      email: string
      eabKid: string
      enabled: boolean
    }) => ({
      ...{
        id,
        name: a.name,
        kind: a.kind,
        directoryUrl: a.directoryUrl,
        email: a.email,
        eabKid: a.eabKid,
        enabled: a.enabled,
      },
    })
    await audit(tx, caller, {
      ...{ action: 'ca.save', target: `authority ${id}` },
      ...(before && { before: shown(before) }),
      after: { ...shown({ ...input, directoryUrl }), secretChanged: !keeps && input.eabKey !== '' },
    })
    return { id }
  })
}

const lock = (tx: Tx, id: number) =>
  row<Authority>(
    tx,
    sql`SELECT id, name, kind, directory_url AS "directoryUrl", email, eab_kid AS "eabKid", eab_key_sealed AS "eabKeySealed", enabled
        FROM cert_authority WHERE id = ${id} FOR UPDATE`,
  )

const nextId = async (tx: Tx): Promise<number> => {
  const next = await row<{ id: number }>(tx, sql`SELECT nextval(pg_get_serial_sequence('cert_authority', 'id')) AS id`)
  if (!next) throw new Error('no id for a certificate authority')
  return next.id
}

export const deleteAuthority = (db: Db, id: number, caller: Caller) =>
  db.transaction(async (tx) => {
    const before = await lock(tx, id)
    if (!before) throw new AppError('not_found')
    const used = await row(
      tx,
      sql`SELECT 1 AS n FROM cert WHERE authority_id = ${id} UNION ALL SELECT 1 FROM cert_order WHERE authority_id = ${id} LIMIT 1`,
    )
    if (used) throw new AppError('in_use')
    await tx.execute(sql`DELETE FROM cert_authority WHERE id = ${id}`)
    const { name, kind, directoryUrl } = before
    await audit(tx, caller, {
      action: 'ca.delete',
      target: `authority ${id}`,
      before: { id, name, kind, directoryUrl },
    })
    return {}
  })

/** Reads the directory, as the next order would. */
export const testAuthority = async (db: Db, id: number, caller: Caller) => {
  const authority = await loadAuthority(db, id)
  if (!authority) throw new AppError('not_found')
  const began = performance.now()
  const nothing = { terms: '', caaNames: [], needsEab: false, renewalInfo: false }
  const ms = () => Math.round(performance.now() - began)
  try {
    const { meta, renewalInfo } = await readDirectory(authority)
    const found = {
      ...{ terms: meta.termsOfService ?? '', caaNames: meta.caaIdentities ?? [] },
      ...{ needsEab: meta.externalAccountRequired ?? false, renewalInfo: renewalInfo !== undefined },
    }
    return { data: { ok: true, fault: '', detail: '', ms: ms(), ...found } }
  } catch (error) {
    const fault = faultOfError(error)
    return { data: { ok: false, fault: certText(fault, caller.lang), detail: fault.detail, ms: ms(), ...nothing } }
  }
}

/** A client with our account there; the account is made at the first use. Its key is stored before the authority hears of it. */
export const openAccount = async (
  { database, secrets }: Deps,
  authority: Authority,
): Promise<AcmeClient & { thumbprint: string }> => {
  const { db } = database
  const { id } = authority
  if (authority.accountKeySealed === '')
    await db.execute(sql`UPDATE cert_authority SET account_key_sealed = ${secrets.seal(newKeyPem(), accountAad(id))}
      WHERE id = ${id} AND account_key_sealed = ''`)
  const stored = await loadAuthority(db, id)
  if (!stored) throw new OrderFault('authority_off')
  const key = readAccountKey(secrets.open(stored.accountKeySealed, accountAad(id)))
  const client = await openAcme(stored, key, stored.accountUrl)
  if (stored.accountUrl === '') {
    const hmacKey = stored.eabKeySealed === '' ? '' : secrets.open(stored.eabKeySealed, eabAad(id))
    const url = await register(client, stored.email, stored.eabKid === '' ? null : { kid: stored.eabKid, hmacKey })
    await db.execute(sql`UPDATE cert_authority SET account_url = ${url}, account_at = now()
      WHERE id = ${id} AND account_key_sealed = ${stored.accountKeySealed}`)
  }
  return Object.assign(client, { thumbprint: key.thumbprint })
}

const register = async (client: AcmeClient, email: string, eab: { kid: string; hmacKey: string } | null) => {
  if (client.directory.meta.externalAccountRequired && !eab) throw new OrderFault('eab_required')
  try {
    return await client.account(email, eab)
  } catch (error) {
    const refused = error instanceof AcmeError && error.kind === 'problem' && error.status < 500
    if (!refused || error.type === 'rateLimited' || error.type === 'externalAccountRequired') throw error
    throw new OrderFault(eab ? 'eab_refused' : 'account', error.detail)
  }
}

/** The authority does not know our account any more: the next try makes it anew. */
export const forgetAccount = async (db: Db, id: number): Promise<void> => {
  await db.execute(sql`UPDATE cert_authority SET account_url = '', account_at = NULL WHERE id = ${id}`)
}
