import { execFile } from 'node:child_process'
import { existsSync, rmSync, statSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { INSTANCE_VARIABLE, PART_VARIABLE, startChild } from './child.ts'
import { rememberedPort, rememberPort } from './ports.ts'
import type { FirstAdmin } from './secrets.ts'
import type { Settings } from './settings.ts'
import { type Addresses, readJson } from './stores.ts'
import type { Part } from './supervisor.ts'

const run = promisify(execFile)

export interface ControlPlane {
  part: Part
  /** Where it listens; known once it was ready. */
  ports(): { http: number; agent: number }
  /** The address that a browser on this machine opens. */
  consoleUrl(): string
  /** Runs one of the server's commands and returns the object that it prints on its last line. */
  command(...args: string[]): Promise<Record<string, unknown>>
}

/** The server: its process, its environment and its one-shot commands. */
export function controlPlane(
  settings: Settings,
  logDir: string,
  instance: string,
  addresses: Addresses,
  admin: FirstAdmin,
): ControlPlane {
  const bundle = join(settings.root, 'dist', 'server.mjs')
  const consoleDir = join(settings.root, 'dist', 'console')
  const nodeFiles = join(settings.root, 'dist', 'node')
  const portsFile = join(settings.runDir, 'ports.json')
  const agentPortFile = join(settings.dataDir, 'agent.port')
  let ports = { http: Number(settings.httpPort), agent: Number(settings.agentPort) }
  let scheme: 'http' | 'https' = 'http'

  const env = (): NodeJS.ProcessEnv => ({
    ...settings.env,
    NODE_ENV: 'production',
    DATABASE_URL: addresses.databaseUrl,
    ...(addresses.databaseOwnerUrl ? { DATABASE_OWNER_URL: addresses.databaseOwnerUrl } : {}),
    ...(addresses.clickhouseUrl ? { CLICKHOUSE_URL: addresses.clickhouseUrl } : {}),
    TIDEGATE_DATA: settings.dataDir,
    TIDEGATE_RUN_DIR: settings.runDir,
    TIDEGATE_BIND: settings.bind,
    // Once chosen, a port stays while the launcher runs; that of the nodes stays longer (see start).
    TIDEGATE_HTTP_PORT: String(ports.http),
    TIDEGATE_AGENT_PORT: String(ports.agent),
    ...(existsSync(nodeFiles) ? { TIDEGATE_NODE_FILES: nodeFiles } : {}),
    ...(existsSync(consoleDir) ? { TIDEGATE_CONSOLE_DIR: consoleDir } : {}),
    ...(admin.password ? { TIDEGATE_ADMIN_PASSWORD: admin.password } : {}),
    [INSTANCE_VARIABLE]: instance,
    [PART_VARIABLE]: 'server',
  })

  const part: Part = {
    name: 'server',
    readyWithinMs: 120_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 20_000,
    async start() {
      rmSync(portsFile, { force: true })
      // Nodes were told this address when they enrolled: a chosen port is chosen once.
      if (ports.agent === 0) ports = { ...ports, agent: (await rememberedPort(agentPortFile, settings.bind)) ?? 0 }
      const args = settings.env.TIDEGATE_ROLES ? [bundle, '--roles', settings.env.TIDEGATE_ROLES] : [bundle]
      return await startChild({ program: process.execPath, args, env: env(), logFile: join(logDir, 'server.log') })
    },
    isBusy: () => isFresh(join(settings.runDir, 'restoring')),
    async isReady() {
      // It answers at its own port a moment before it says which one the nodes have.
      const bound = readJson<Partial<typeof ports>>(portsFile)
      if (!bound) return false
      const candidate = { ...ports, ...bound }
      for (const tried of ['http', 'https'] as const) {
        if ((await statusOf(tried, reachable(settings.bind), candidate.http, '/readyz')) !== 200) continue
        ports = candidate
        scheme = tried
        if (settings.agentPort === '0' && ports.agent > 0) rememberPort(agentPortFile, ports.agent)
        return true
      }
      return false
    },
  }

  return {
    part,
    ports: () => ports,
    consoleUrl: () => settings.env.TIDEGATE_PUBLIC_URL || `${scheme}://${urlHost(settings.bind)}:${ports.http}/admin/`,
    async command(...args) {
      const options = { env: { ...env(), [PART_VARIABLE]: 'command' }, timeout: 60_000, maxBuffer: 1024 * 1024 }
      const { stdout } = await run(process.execPath, [bundle, ...args], options)
      return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>
    },
  }
}

/** Whether the file was touched within the last half minute. */
function isFresh(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs < 30_000
}

/** Bound to every address, it is reached by loopback. */
export function reachable(bind: string): string {
  if (bind === '0.0.0.0') return '127.0.0.1'
  return bind === '::' ? '::1' : bind
}

function urlHost(bind: string): string {
  const host = reachable(bind)
  return host.includes(':') ? `[${host}]` : host
}

/** The status of one request to this machine, undefined when there was no answer within a second. */
async function statusOf(
  scheme: 'http' | 'https',
  host: string,
  port: number,
  path: string,
): Promise<number | undefined> {
  return await new Promise((resolve) => {
    const options = { host, port, path, timeout: 1_000, agent: false as const }
    // A self-made certificate is fine here: this asks its own child on this machine whether it is up.
    const request = scheme === 'http' ? httpRequest(options) : httpsRequest({ ...options, rejectUnauthorized: false })
    request.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(undefined))
    request.end()
  })
}
