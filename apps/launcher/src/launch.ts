import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { endProcess } from '@tidegate/embedded/process'
import { tailOf } from './child.ts'
import { controlPlane } from './control-plane.ts'
import { DEMO_DOMAIN, demoOrigin, startTrickle } from './demo.ts'
import { localNode } from './local-node.ts'
import { findOrphans } from './orphans.ts'
import { firstAdmin, keptSecret } from './secrets.ts'
import type { Settings } from './settings.ts'
import { type Addresses, databasePart, storePart } from './stores.ts'
import { type Part, type Supervised, supervise } from './supervisor.ts'
import type { PartName, Say } from './texts.ts'

/** The program by which a part's process is known; PostgreSQL is adopted by its own rules. */
const programs: Record<string, string> = {
  store: 'chdb.mjs',
  server: 'server.mjs',
  agent: 'agent.mjs',
  origin: 'nginx',
}
const logNames: Record<PartName, string> = {
  database: 'postgres.log',
  store: 'chdb.log',
  server: 'server.log',
  agent: 'agent.log',
  origin: 'demo-origin.log',
}

/** A part did not start; it was said on the terminal, with the end of its log. */
export class LaunchError extends Error {}

/** Everything that runs, in the order of its start. */
export interface Launched {
  parts: Supervised[]
  /** Stops everything in reverse order; each part is bounded. */
  stop(): Promise<void>
}

/** Ends what an earlier launcher left, then starts everything in order. Rejects with LaunchError after stopping all. */
export async function launch(settings: Settings, logDir: string, say: Say, signal: AbortSignal): Promise<Launched> {
  const instance = keptSecret(settings.dataDir, 'instance.id')
  await endOrphans(instance, say)
  const parts: Supervised[] = []
  const undo: Array<() => void> = []
  const stop = async () => {
    for (const step of undo.splice(0)) step()
    for (const part of parts.splice(0).reverse()) await part.stop()
  }
  const begin = async (part: Part) => {
    try {
      parts.push(await supervise(part, { say, signal }))
    } catch (error) {
      if (!signal.aborted) sayFailure(say, part.name, logDir, error)
      throw new LaunchError(part.name)
    }
  }
  try {
    await startAll(settings, logDir, instance, say, begin, undo)
  } catch (error) {
    await stop()
    throw error
  }
  return { parts, stop }
}

async function startAll(
  settings: Settings,
  logDir: string,
  instance: string,
  say: Say,
  begin: (part: Part) => Promise<void>,
  undo: Array<() => void>,
): Promise<void> {
  const addresses: Addresses = {
    databaseUrl: settings.databaseUrl,
    databaseOwnerUrl: settings.databaseOwnerUrl,
    clickhouseUrl: settings.clickhouseUrl,
  }
  requireBundles(settings, say)
  if (!settings.databaseUrl) await begin(databasePart(settings, logDir, addresses, say))
  if (!settings.clickhouseUrl) await begin(storePart(settings, logDir, instance, addresses))
  const admin = firstAdmin(settings.dataDir, settings.adminPassword)
  const server = controlPlane(settings, logDir, instance, addresses, admin)
  await begin(server.part)
  say('console', { url: server.consoleUrl() })
  if (admin.toShow) say('account', { password: admin.toShow })
  admin.done()
  if (settings.controlPlaneOnly) return
  const node = localNode(settings, logDir, instance, server)
  await begin(node.part)
  const edgeUrl = () => `http://127.0.0.1:${node.httpPort() ?? settings.edgeHttpPort}/`
  say('edge', { url: edgeUrl() })
  if (!settings.demo || !settings.demoPages) return
  const origin = demoOrigin(settings, logDir, instance, settings.demoPages)
  await begin(origin.part)
  await server.command('demo', '--origin', origin.address(), '--domain', DEMO_DOMAIN)
  undo.push(startTrickle(settings.demoPages, node.httpPort))
  say('demo', { host: DEMO_DOMAIN, url: edgeUrl() })
}

function requireBundles(settings: Settings, say: Say): void {
  const needed = ['server.mjs', ...(settings.clickhouseUrl ? [] : ['chdb.mjs'])]
  if (!settings.controlPlaneOnly) needed.push('agent.mjs')
  for (const name of needed) {
    const file = join(settings.root, 'dist', name)
    if (existsSync(file)) continue
    say('notBuilt', { file })
    throw new LaunchError(file)
  }
}

/** A killed agent leaves nginx serving, and the next agent adopts it: it gets no signal that it could obey. */
async function endOrphans(instance: string, say: Say): Promise<void> {
  for (const orphan of findOrphans(instance, programs)) {
    const gentle = orphan.part === 'agent' ? [] : [['SIGTERM', 10_000] as const]
    await endProcess(orphan, [...gentle, ['SIGKILL', 5_000]])
    say('endedOrphan', { part: orphan.part, pid: orphan.pid })
  }
}

function sayFailure(say: Say, part: PartName, logDir: string, error: unknown): void {
  say('failed', { part, reason: error instanceof Error ? error.message : String(error) })
  const file = join(logDir, logNames[part])
  const tail = tailOf(file)
  if (!tail) return
  say('logTail', { file })
  process.stderr.write(`${tail}\n`)
}
