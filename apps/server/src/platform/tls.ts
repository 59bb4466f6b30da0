/** TLS of the console's port: by certificate and key given, or self-made when bound beyond loopback. */
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'
import type { Env } from './env.ts'
import type { Log } from './log.ts'

export interface TlsFiles {
  cert: string
  key: string
}

const YEARS = 10
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

const isLoopback = (bind: string) => bind === 'localhost' || bind === '::1' || /^127\./.test(bind)

const pem = (label: string, der: ArrayBuffer) =>
  `-----BEGIN ${label}-----\n${(
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  ).join('\n')}\n-----END ${label}-----\n`

/** A self-signed certificate for this host's name. */
const selfSigned = async (name: string): Promise<TlsFiles> => {
  x509.cryptoProvider.set(webcrypto as Crypto)
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const notBefore = new Date(Date.now() - 3_600_000)
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    notBefore,
    notAfter: new Date(notBefore.getTime() + YEARS * 365 * 86_400_000),
    signingAlgorithm: ALGORITHM,
    keys: keys as CryptoKeyPair,
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: name },
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ],
  })
  return {
    cert: cert.toString('pem'),
    key: pem('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)),
  }
}

/** Certificate and key of the console's port; undefined = plain HTTP, on loopback only. Throws when only one of the two is given. */
export const consoleTls = async (env: Env, log: Log): Promise<TlsFiles | undefined> => {
  const { TIDEGATE_TLS_CERT: certFile, TIDEGATE_TLS_KEY: keyFile } = env
  if (Boolean(certFile) !== Boolean(keyFile)) throw new Error('TIDEGATE_TLS_CERT and TIDEGATE_TLS_KEY belong together')
  if (certFile && keyFile) return { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') }
  if (isLoopback(env.TIDEGATE_BIND)) return undefined
  const dir = join(env.TIDEGATE_DATA, 'tls')
  const [cert, key] = [join(dir, 'console.crt'), join(dir, 'console.key')]
  log.warn({ cert }, 'bound beyond loopback without TIDEGATE_TLS_CERT: serving with a self-signed certificate')
  try {
    return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') }
  } catch {
    const made = await selfSigned(hostname())
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await writeFile(key, made.key, { mode: 0o600 })
    await writeFile(cert, made.cert, { mode: 0o600 })
    return made
  }
}
