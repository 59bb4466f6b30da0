/** Self-signed certificates for tests. */
import 'reflect-metadata'
import { createPrivateKey, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** A certificate of these names that ends in so many days, and its key, as they are uploaded. */
export const selfSigned = async (names: string[], days = 30) => {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=ignored.example,O=Test Issuer',
      notBefore: new Date(Date.now() - 40 * 86_400_000),
      notAfter: new Date(Date.now() + days * 86_400_000),
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value })))],
    },
    webcrypto as Crypto,
  )
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return {
    certPem: certificate.toString('pem'),
    keyPem: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    remark: '',
  }
}
