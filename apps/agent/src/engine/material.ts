/** What the engine needs and every installation makes for itself, once: default certificate, probe secret, ports. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfExists, writeFileAtomic } from '../files.ts'
import { selfSignedCertificate } from '../identity/keys.ts'
import type { EngineLayout } from './layout.ts'

/** Makes the default certificate unless both files are there. */
export async function ensureDefaultCertificate(layout: EngineLayout): Promise<void> {
  const held = [await readIfExists(layout.defaultCert), await readIfExists(layout.defaultKey)]
  if (held.every((text) => text !== undefined)) return
  const made = await selfSignedCertificate()
  await writeFileAtomic(layout.defaultKey, made.keyPem)
  await writeFileAtomic(layout.defaultCert, made.certPem)
}

/** The secret that probes carry: 256 bit, made once. */
export async function ensureProbeSecret(layout: EngineLayout): Promise<string> {
  const held = (await readIfExists(layout.probeSecretFile))?.trim()
  if (held !== undefined && held !== '') return held
  const secret = randomBytes(32).toString('hex')
  await writeFileAtomic(layout.probeSecretFile, `${secret}\n`)
  return secret
}

const portsFile = z.object({ httpPort: z.int(), httpsPort: z.int() })
export type Ports = z.infer<typeof portsFile>

function tryPort(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address()
      const chosen = typeof address === 'object' && address !== null ? address.port : undefined
      server.close(() => resolve(chosen))
    })
  })
}

/**
 * The ports to listen on. 0 means: the one chosen before, if it is still free or `engineRuns` (then the engine itself holds it),
 * else a new free one, which is remembered in `<node dir>/engine/ports.json`.
 */
export async function choosePorts(nodeDir: string, wanted: Ports, host: string, engineRuns: boolean): Promise<Ports> {
  const path = join(nodeDir, 'engine', 'ports.json')
  const text = await readIfExists(path)
  const held = text === undefined ? undefined : portsFile.safeParse(JSON.parse(text)).data
  const choose = async (port: number, before: number | undefined): Promise<number> => {
    if (port !== 0) return port
    if (before !== undefined && (engineRuns || (await tryPort(host, before)) !== undefined)) return before
    const free = await tryPort(host, 0)
    if (free === undefined) throw new Error(`no free port on ${host}`)
    return free
  }
  const ports = {
    httpPort: await choose(wanted.httpPort, held?.httpPort),
    httpsPort: await choose(wanted.httpsPort, held?.httpsPort),
  }
  await writeFileAtomic(path, `${JSON.stringify(ports)}\n`)
  return ports
}
