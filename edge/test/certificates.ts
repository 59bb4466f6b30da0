/** Self-signed certificates for tests, made by openssl. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A certificate and key (PEM) for the names; the first is the common name. */
export function makeCertificate(names: string[]): { cert: string; key: string } {
  const dir = mkdtempSync(join(tmpdir(), 'tgc-'))
  try {
    const alt = names.map((name) => `DNS:${name}`).join(',')
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')]
    const subject = ['-subj', `/CN=${names[0]}`, '-addext', `subjectAltName=${alt}`]
    execFileSync('openssl', ['req', '-x509', '-days', '30', ...curve, ...files, ...subject], { stdio: 'pipe' })
    return { cert: readFileSync(join(dir, 'cert.pem'), 'utf8'), key: readFileSync(join(dir, 'key.pem'), 'utf8') }
  } finally {
    rmSync(dir, { recursive: true })
  }
}
