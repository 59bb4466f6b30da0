/** The node's key pair and certificate requests. The private key is made here and never leaves the node. */
import 'reflect-metadata'
import { createPrivateKey, createPublicKey, webcrypto } from 'node:crypto'
import { Pkcs10CertificateRequestGenerator, X509Certificate, X509CertificateGenerator } from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000

async function newKeyPair(): Promise<{ keys: webcrypto.CryptoKeyPair; keyPem: string }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { keys, keyPem: key.export({ format: 'pem', type: 'pkcs8' }).toString() }
}

/** A new EC P-256 private key as PKCS#8 PEM. */
export async function newPrivateKey(): Promise<string> {
  return (await newKeyPair()).keyPem
}

/** PKCS#10 request (PEM) for a private key; the server ignores its subject. */
export async function certificateRequest(keyPem: string): Promise<string> {
  const privateKey = createPrivateKey(keyPem)
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const keys = {
    privateKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']),
    publicKey: await webcrypto.subtle.importKey('spki', spki, ALGORITHM, true, ['verify']),
  }
  const request = await Pkcs10CertificateRequestGenerator.create(
    { name: 'CN=tidegate node', keys, signingAlgorithm: ALGORITHM },
    webcrypto as Crypto,
  )
  return request.toString('pem')
}

/** The installation's own default certificate, shown for names that have none: self-signed, ten years. */
export async function selfSignedCertificate(): Promise<{ certPem: string; keyPem: string }> {
  const { keys, keyPem } = await newKeyPair()
  const now = Date.now()
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=tidegate default',
      notBefore: new Date(now - DAY_MS),
      notAfter: new Date(now + 3650 * DAY_MS),
      signingAlgorithm: ALGORITHM,
      keys,
    },
    webcrypto as Crypto,
  )
  return { certPem: certificate.toString('pem'), keyPem }
}

/** Begin and end of a PEM certificate's validity in Unix ms. */
export function validity(certPem: string): { from: number; to: number } {
  const certificate = new X509Certificate(certPem)
  return { from: certificate.notBefore.getTime(), to: certificate.notAfter.getTime() }
}

/** When to renew: at two thirds of the certificate's life, Unix ms. */
export function renewalTime(certPem: string): number {
  const { from, to } = validity(certPem)
  return from + ((to - from) * 2) / 3
}
