/** Finds the control plane's CA by the hash that the operator gave, before anything secret is sent. */
import { X509Certificate } from 'node:crypto'
import { connect, type DetailedPeerCertificate } from 'node:tls'
import { sha256Hex } from '@tidegate/contract/node/hash'

const LONGEST_CHAIN = 8

function findInChain(leaf: DetailedPeerCertificate, caSha256: string): Buffer | undefined {
  let current: DetailedPeerCertificate | undefined = leaf
  for (let depth = 0; current?.raw !== undefined && depth < LONGEST_CHAIN; depth++) {
    if (sha256Hex(current.raw) === caSha256) return current.raw
    if (current.issuerCertificate === current) return undefined
    current = current.issuerCertificate
  }
  return undefined
}

/**
 * Opens a TLS connection that trusts nobody yet, looks for a certificate whose DER has the SHA-256 `caSha256` in the chain that
 * the peer presents, and gives it as PEM. Nothing is sent. Rejects when no certificate of the chain matches, or after `timeoutMs`.
 */
export function fetchPinnedCa(controlUrl: string, caSha256: string, timeoutMs: number): Promise<string> {
  const url = new URL(controlUrl)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(url.port || 443),
      servername: /^[\d.]+$|:/.test(host) ? undefined : host,
      minVersion: 'TLSv1.3',
      // The chain is judged by the pinned hash below; the connection that carries the token verifies in full.
      rejectUnauthorized: false,
    })
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('timeout while fetching the certificate chain')))
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      const raw = findInChain(socket.getPeerCertificate(true), caSha256)
      socket.destroy()
      if (raw === undefined) reject(new Error('the control plane does not present the pinned CA'))
      else resolve(new X509Certificate(raw).toString())
    })
  })
}
