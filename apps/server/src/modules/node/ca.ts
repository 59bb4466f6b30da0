/** The installation's certificate authority for nodes: made at the first start, its key sealed in the database. */
import 'reflect-metadata'
import { createHash, createPrivateKey, randomBytes, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { NODE_CERT_DAYS } from '@tidegate/contract/limits'
import { isIP } from '@tidegate/contract/validators'
import { sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { row } from '../../platform/query.ts'
import type { Secrets } from '../../platform/secrets.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000
const CA_DAYS = 3_650
const SERVER_DAYS = 365
/** Clocks of nodes may be behind. */
const BACKDATE_MS = 3_600_000
const AAD = 'installation ca key'
const LOCK = 7_413_300
const crypto = webcrypto as Crypto

export interface IssuedCert {
  /** PEM */
  certificate: string
  /** Lower-case hex. */
  serial: string
  notAfter: Date
}

export interface Ca {
  /** PEM */
  certPem: string
  /** SHA-256 of its DER, hex: what install commands carry. */
  sha256: string
  /** For a node's request; subject and extensions of the request are ignored. Throws CsrError. */
  issueNode(nodeId: number, csrPem: string): Promise<IssuedCert>
  /** For the agents' port: a fresh key each time. `names`: host names and addresses. */
  issueServer(names: string[]): Promise<IssuedCert & { keyPem: string }>
}

/** The request cannot be read, is not signed by its own key, or has a key too weak. */
export class CsrError extends Error {
  override name = 'CsrError'
}

interface Stored {
  certPem: string
  keySealed: string
}

/** Opens the CA, making it when there is none; processes that start together agree on one. */
export const openCa = async (db: Db, secrets: Secrets, clock: Clock): Promise<Ca> => {
  const stored = await db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK})`)
    const have = await row<{ value: Stored }>(tx, sql`SELECT value FROM installation WHERE key = 'ca'`)
    if (have) return have.value
    const made = await makeCa(secrets, clock)
    await tx.execute(sql`INSERT INTO installation (key, value) VALUES ('ca', ${JSON.stringify(made)}::jsonb)`)
    return made
  })
  const key = createPrivateKey(secrets.open(stored.keySealed, AAD)).export({ format: 'der', type: 'pkcs8' })
  const signingKey = await crypto.subtle.importKey('pkcs8', key, ALGORITHM, false, ['sign'])
  return caOf(new x509.X509Certificate(stored.certPem), signingKey, clock)
}

const newKeys = async () => {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  const keyPem = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'pem', type: 'pkcs8' })
  return { keys, keyPem: keyPem.toString() }
}

const makeCa = async (secrets: Secrets, clock: Clock): Promise<Stored> => {
  const { keys, keyPem } = await newKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: newSerial(),
      name: `CN=Tidegate node CA ${randomBytes(4).toString('hex')}`,
      notBefore: new Date(clock.now() - BACKDATE_MS),
      notAfter: new Date(clock.now() + CA_DAYS * DAY_MS),
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto),
      ],
    },
    crypto,
  )
  return { certPem: pemOf(certificate), keySealed: secrets.seal(keyPem, AAD) }
}

/** With the final line feed, so that PEM files can be put one after the other. */
const pemOf = (certificate: x509.X509Certificate) => `${certificate.toString('pem').trimEnd()}\n`

/** Positive, 16 octets without a leading zero, so that every program writes it alike. */
const newSerial = () => {
  const bytes = randomBytes(16)
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f)
  return bytes.toString('hex')
}

const caOf = (ca: x509.X509Certificate, signingKey: CryptoKey, clock: Clock): Ca => {
  const issue = async (
    subject: string,
    publicKey: x509.PublicKey | CryptoKey,
    days: number,
    usage: string,
    names: x509.JsonGeneralName[],
  ): Promise<IssuedCert> => {
    const serial = newSerial()
    const notAfter = new Date(Math.min(clock.now() + days * DAY_MS, ca.notAfter.getTime()))
    const certificate = await x509.X509CertificateGenerator.create(
      {
        serialNumber: serial,
        subject,
        issuer: ca.subject,
        notBefore: new Date(clock.now() - BACKDATE_MS),
        notAfter,
        publicKey,
        signingKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([usage], false),
          await x509.AuthorityKeyIdentifierExtension.create(ca, false, crypto),
          ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
        ],
      },
      crypto,
    )
    return { certificate: pemOf(certificate), serial, notAfter }
  }
  return {
    certPem: pemOf(ca),
    sha256: createHash('sha256').update(Buffer.from(ca.rawData)).digest('hex'),
    issueNode: async (nodeId, csrPem) =>
      issue(`CN=node:${nodeId}`, await readCsr(csrPem), NODE_CERT_DAYS, x509.ExtendedKeyUsage.clientAuth, []),
    issueServer: async (names) => {
      const { keys, keyPem } = await newKeys()
      const list = [...new Set(names)].map(
        (value): x509.JsonGeneralName => ({ type: isIP(value) ? 'ip' : 'dns', value }),
      )
      const issued = await issue('CN=Tidegate', keys.publicKey, SERVER_DAYS, x509.ExtendedKeyUsage.serverAuth, list)
      return { ...issued, keyPem }
    },
  }
}

/** The request's public key, when it is P-256 or P-384 and the request is signed by it. */
const readCsr = async (pem: string): Promise<x509.PublicKey> => {
  let request: x509.Pkcs10CertificateRequest
  try {
    request = new x509.Pkcs10CertificateRequest(pem)
    if (!(await request.verify(crypto))) throw new CsrError('the request is not signed by its own key')
  } catch (error) {
    throw error instanceof CsrError ? error : new CsrError('the request cannot be read')
  }
  const algorithm = request.publicKey.algorithm as { name: string; namedCurve?: string }
  const strong = algorithm.name === 'ECDSA' && ['P-256', 'P-384'].includes(algorithm.namedCurve ?? '')
  if (!strong) throw new CsrError('the key must be P-256 or P-384')
  return request.publicKey
}
