/** Reads an uploaded certificate and its key. Node's own X.509 parser (OpenSSL) decides. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { normalizeDomain } from '@tidegate/contract/validators'
import type { FieldFault } from '../../platform/errors.ts'

export interface ParsedCert {
  /** Leaf first, then the rest as uploaded. */
  certPem: string
  /** PKCS#8, unencrypted. */
  keyPem: string
  /** Lower case, punycode; from the subject alternative names, else the common name. */
  names: string[]
  issuer: string
  notBefore: Date
  notAfter: Date
  /** Hex, as OpenSSL writes it. */
  serial: string
  /** SHA-256, hex. */
  fingerprint: string
}

const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

/** The parts, or the field faults they earn. The leaf is the certificate that belongs to the key, wherever it stands. `now`: Unix ms. */
export const parseCert = (certPem: string, keyPem: string, now: number): ParsedCert | FieldFault[] => {
  const chain = readChain(certPem)
  const key = readKey(keyPem)
  const faults: FieldFault[] = []
  if (!chain) faults.push({ path: 'certPem', key: 'certificate' })
  if (!key) faults.push({ path: 'keyPem', key: 'private_key' })
  if (!chain || !key) return faults
  const leaf = chain.find((c) => c.checkPrivateKey(key))
  if (!leaf) return [{ path: 'keyPem', key: 'key_mismatch' }]
  const notAfter = new Date(leaf.validTo)
  if (notAfter.getTime() <= now) return [{ path: 'certPem', key: 'certificate_expired' }]
  const names = namesOf(leaf)
  if (names.length === 0) return [{ path: 'certPem', key: 'certificate' }]
  return {
    certPem: [leaf, ...chain.filter((c) => c !== leaf)].map((c) => c.toString()).join(''),
    keyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    names,
    issuer: issuerOf(leaf),
    notBefore: new Date(leaf.validFrom),
    notAfter,
    serial: leaf.serialNumber,
    fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
  }
}

const readChain = (pem: string): X509Certificate[] | null => {
  const blocks = pem.match(BLOCK) ?? []
  try {
    const chain = blocks.map((block) => new X509Certificate(block))
    return chain.length > 0 ? chain : null
  } catch {
    return null
  }
}

/** A key with a passphrase cannot be read: nodes start unattended. */
const readKey = (pem: string): KeyObject | null => {
  try {
    return createPrivateKey({ key: pem, format: 'pem' })
  } catch {
    return null
  }
}

const namesOf = (cert: X509Certificate): string[] => {
  const alternative = (cert.subjectAltName ?? '').split(', ').filter((n) => n.startsWith('DNS:'))
  const names = alternative.length > 0 ? alternative.map((n) => n.slice(4)) : [part(cert.subject, 'CN')]
  return [...new Set(names.map((n) => normalizeDomain(n)).filter((n) => n !== null))].sort()
}

const part = (name: string, key: string): string =>
  name
    .split('\n')
    .find((line) => line.startsWith(`${key}=`))
    ?.slice(key.length + 1) ?? ''

const issuerOf = (cert: X509Certificate): string => part(cert.issuer, 'O') || part(cert.issuer, 'CN') || cert.issuer
