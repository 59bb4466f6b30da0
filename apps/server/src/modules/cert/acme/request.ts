/** Certificate requests (PKCS#10), and the name of a certificate towards its authority (RFC 9773, 4.1). */
import 'reflect-metadata'
import { createPrivateKey, createPublicKey, webcrypto, X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const crypto = webcrypto as Crypto

/** base64url of the DER of a request for these names, signed with an EC P-256 key. */
export const requestFor = async (keyPem: string, names: readonly string[]): Promise<string> => {
  const key = createPrivateKey(keyPem)
  const pkcs8 = key.export({ format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const keys = {
    privateKey: await crypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']),
    publicKey: await crypto.subtle.importKey('spki', spki, ALGORITHM, true, ['verify']),
  }
  const alternative = names.map((value) => ({ type: 'dns' as const, value }))
  const request = await x509.Pkcs10CertificateRequestGenerator.create(
    // No common name: it may have 64 characters at most, and authorities go by the alternative names.
    {
      name: '',
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [new x509.SubjectAlternativeNameExtension(alternative)],
    },
    crypto,
  )
  return Buffer.from(request.rawData).toString('base64url')
}

/** The parts of the name: key identifier of the issuer and serial number, both hex, the latter as its DER has it. */
export const ariName = (keyIdentifier: string, serial: string): string => {
  const even = serial.length % 2 === 0 ? serial : `0${serial}`
  // A positive number whose first bit is set has a zero byte in front (X.690, 8.3).
  const der = Number.parseInt(even.slice(0, 2), 16) >= 0x80 ? `00${even}` : even
  return [keyIdentifier, der].map((hex) => Buffer.from(hex, 'hex').toString('base64url')).join('.')
}

/** Name of the leaf of a PEM chain; '' when it does not say whose key signed it. */
export const ariId = (certPem: string): string => {
  const leaf = new X509Certificate(certPem)
  const extension = new x509.X509Certificate(leaf.raw).getExtension(x509.AuthorityKeyIdentifierExtension)
  return extension?.keyId ? ariName(extension.keyId, leaf.serialNumber) : ''
}
