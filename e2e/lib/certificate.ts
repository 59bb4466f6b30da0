/** Certificates as a customer uploads them. */
import 'reflect-metadata'
import { createPrivateKey, webcrypto } from 'node:crypto'
import {
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000
const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key))
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString()
}

/** A certificate request in whatever name one likes, with its new key. */
export async function makeRequest(name: string): Promise<{ csr: string; keyPem: string }> {
  const keys = await newKeys()
  const request = await Pkcs10CertificateRequestGenerator.create(
    { name, keys, signingAlgorithm: ALGORITHM },
    webcrypto as Crypto,
  )
  return { csr: request.toString('pem'), keyPem: await pemOf(keys.privateKey) }
}

export interface Certificate {
  certPem: string
  keyPem: string
  /** SHA-256 of the DER, upper case with colons, as Node shows it. */
  fingerprint: string
}

/** A self-signed certificate for these names, good for a month. */
export async function makeCertificate(names: readonly string[]): Promise<Certificate> {
  const keys = await newKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: `CN=${names[0]}`,
      notBefore: new Date(Date.now() - DAY_MS),
      notAfter: new Date(Date.now() + 30 * DAY_MS),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value })))],
    },
    webcrypto as Crypto,
  )
  const hash = Buffer.from(await webcrypto.subtle.digest('SHA-256', certificate.rawData)).toString('hex')
  return {
    certPem: certificate.toString('pem'),
    keyPem: await pemOf(keys.privateKey),
    fingerprint: (hash.toUpperCase().match(/../g) ?? []).join(':'),
  }
}
