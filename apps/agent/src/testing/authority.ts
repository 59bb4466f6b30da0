/** A certificate authority as the control plane has one: CA, server certificate, client certificates from CSRs. */
import 'reflect-metadata'
import { createPrivateKey, randomBytes, webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { sha256Hex } from '@tidegate/contract/node/hash'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const crypto = webcrypto as Crypto
const DAY_MS = 86_400_000

const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key))
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString()
}

export type Authority = Readonly<{
  caPem: string
  /** SHA-256 of the CA's DER, hex. */
  caSha256: string
  server: { cert: string; key: string }
  /** Certifies a CSR for a node for `lifeMs`, beginning a minute ago at the earliest when the life is long. */
  certify: (csrPem: string, nodeId: number, lifeMs: number) => Promise<string>
}>

export async function createAuthority(): Promise<Authority> {
  const caKeys = await newKeys()
  const ca: X509Certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: randomBytes(8).toString('hex'),
      name: 'CN=test control plane',
      notBefore: new Date(Date.now() - DAY_MS),
      notAfter: new Date(Date.now() + DAY_MS),
      signingAlgorithm: ALGORITHM,
      keys: caKeys,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      ],
    },
    crypto,
  )
  const issue = (
    subject: string,
    publicKey: Parameters<typeof X509CertificateGenerator.create>[0]['publicKey'],
    usage: ExtendedKeyUsage,
    from: number,
    to: number,
    names: SubjectAlternativeNameExtension[],
  ) =>
    X509CertificateGenerator.create(
      {
        serialNumber: randomBytes(8).toString('hex'),
        subject,
        issuer: ca.subject,
        notBefore: new Date(from),
        notAfter: new Date(to),
        signingAlgorithm: ALGORITHM,
        publicKey,
        signingKey: caKeys.privateKey,
        extensions: [new ExtendedKeyUsageExtension([usage]), ...names],
      },
      crypto,
    )
  const serverKeys = await newKeys()
  const serverCert = await issue(
    'CN=control plane',
    serverKeys.publicKey,
    ExtendedKeyUsage.serverAuth,
    Date.now() - DAY_MS,
    Date.now() + DAY_MS,
    [
      new SubjectAlternativeNameExtension([
        { type: 'ip', value: '127.0.0.1' },
        { type: 'dns', value: 'localhost' },
      ]),
    ],
  )
  return {
    caPem: ca.toString('pem'),
    caSha256: sha256Hex(new Uint8Array(ca.rawData)),
    server: { cert: `${serverCert.toString('pem')}\n${ca.toString('pem')}\n`, key: await pemOf(serverKeys.privateKey) },
    certify: async (csrPem, nodeId, lifeMs) => {
      const csr = new Pkcs10CertificateRequest(csrPem)
      if (!(await csr.verify(crypto))) throw new Error('bad CSR')
      const now = Date.now()
      const cert = await issue(`CN=node-${nodeId}`, csr.publicKey, ExtendedKeyUsage.clientAuth, now, now + lifeMs, [])
      return cert.toString('pem')
    },
  }
}
