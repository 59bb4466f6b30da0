/** Let's Encrypt's own certificate authority for tests, with a DNS server that leads every name to this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freeDnsPort, freePorts } from '@tidegate/testkit/ports'
import { makeCertificate } from './certificate.ts'
import { waitFor } from './wait.ts'

export interface Pebble {
  directoryUrl: string
  /** What has to be trusted to talk to it. */
  caBundle: string
  stop(): Promise<void>
}

export interface PebbleOptions {
  /** Port at which it asks for the answers to its challenges. */
  httpPort: number
  /** Names that it issues nothing for. */
  blocked?: string[]
  /** Accounts must be bound to one of these: kid -> HMAC key, base64url. */
  eab?: Record<string, string>
}

const program = (name: string) => join(process.env.PEBBLE_DIR || '/usr/bin', name)

const answers = (url: string) =>
  new Promise<boolean>((resolve) => {
    const call = request(url, { rejectUnauthorized: false, timeout: 2_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    call.on('error', () => resolve(false))
    call.end()
  })

/** Refuses half of all nonces, does not wait before it validates, and validates each name anew. */
export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  const dir = mkdtempSync(join(tmpdir(), 'tg-pebble-'))
  const [api = 0, management = 0, dnsManagement = 0] = await freePorts(3)
  const dns = await freeDnsPort()
  const tls = await makeCertificate(['localhost'])
  const at = (name: string) => join(dir, name)
  writeFileSync(at('tls.crt'), tls.certPem)
  writeFileSync(at('tls.key'), tls.keyPem, { mode: 0o600 })
  const pebble = {
    listenAddress: `127.0.0.1:${api}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: at('tls.crt'),
    privateKey: at('tls.key'),
    httpPort: options.httpPort,
    tlsPort: 1,
    ocspResponderURL: '',
    externalAccountBindingRequired: options.eab !== undefined,
    ...(options.eab && { externalAccountMACKeys: options.eab }),
    domainBlocklist: options.blocked ?? [],
  }
  writeFileSync(at('config.json'), JSON.stringify({ pebble }))
  let output = ''
  const started: ChildProcess[] = []
  const run = (name: string, args: string[]) => {
    const env = { PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '50', PEBBLE_AUTHZREUSE: '0' }
    const child = spawn(program(name), args, { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-4_000)
      })
    started.push(child)
  }
  run('pebble-challtestsrv', [
    ...['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${dnsManagement}`],
    ...['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv4', '127.0.0.1', '-defaultIPv6', ''],
  ])
  run('pebble', ['-config', at('config.json'), '-dnsserver', `127.0.0.1:${dns}`, '-strict'])
  const stop = async () => {
    for (const child of started) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    rmSync(dir, { recursive: true, force: true })
  }
  const directoryUrl = `https://localhost:${api}/dir`
  try {
    await waitFor(
      () => answers(directoryUrl),
      () => `the authority to answer\n${output}`,
      30_000,
    )
  } catch (error) {
    await stop()
    throw error
  }
  return { directoryUrl, caBundle: tls.certPem, stop }
}
