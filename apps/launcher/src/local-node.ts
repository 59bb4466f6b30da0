import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { INSTANCE_VARIABLE, PART_VARIABLE, startChild } from './child.ts'
import type { ControlPlane } from './control-plane.ts'
import { writeWhole } from './secrets.ts'
import type { Settings } from './settings.ts'
import { readJson } from './stores.ts'
import type { Part } from './supervisor.ts'

interface NodeStatus {
  revision: number
  engineUp: boolean
  agentPid: number
  /** Where the edge listens, when the agent says so. */
  httpPort?: number
  httpsPort?: number
}

export interface LocalNode {
  part: Part
  /** The edge's plain port; undefined until known. */
  httpPort(): number | undefined
}

/** The local edge node: enrolled by a one-time token like any other, then an agent that owns nginx. */
export function localNode(settings: Settings, logDir: string, instance: string, server: ControlPlane): LocalNode {
  const dir = join(settings.dataDir, 'node')
  const statusFile = join(dir, 'status.json')
  let pid = 0

  const part: Part = {
    name: 'agent',
    readyWithinMs: 60_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 20_000,
    async start() {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      const trust = await enrolment(dir, server)
      const child = await startChild({
        program: process.execPath,
        args: [join(settings.root, 'dist', 'agent.mjs')],
        logFile: join(logDir, 'agent.log'),
        env: {
          PATH: settings.env.PATH,
          NODE_ENV: 'production',
          TIDEGATE_NODE_DIR: dir,
          TIDEGATE_RUN_DIR: settings.runDir,
          TIDEGATE_CONTROL_URL: `https://127.0.0.1:${server.ports().agent}`,
          TIDEGATE_CA_SHA256: trust.caSha256,
          ...(trust.token ? { TIDEGATE_ENROLL_TOKEN: trust.token } : {}),
          TIDEGATE_EDGE_HTTP_PORT: settings.edgeHttpPort,
          TIDEGATE_EDGE_HTTPS_PORT: settings.edgeHttpsPort,
          TIDEGATE_BIND: settings.bind,
          TIDEGATE_ENGINE_ROOT: settings.engineRoot,
          TIDEGATE_EDGE_DIR: join(settings.root, 'edge'),
          // An orderly stop of everything takes nginx along; a killed agent leaves it serving.
          TIDEGATE_STOP_ENGINE: '1',
          // The node's own bounds, when the operator set them.
          ...(settings.env.TIDEGATE_SPOOL_MAX_MB ? { TIDEGATE_SPOOL_MAX_MB: settings.env.TIDEGATE_SPOOL_MAX_MB } : {}),
          ...(settings.env.TIDEGATE_CACHE_MAX_MB ? { TIDEGATE_CACHE_MAX_MB: settings.env.TIDEGATE_CACHE_MAX_MB } : {}),
          [INSTANCE_VARIABLE]: instance,
          [PART_VARIABLE]: 'agent',
        },
      })
      pid = child.identity.pid
      return child
    },
    async isReady() {
      const status = readJson<NodeStatus>(statusFile)
      // What an earlier agent wrote does not count.
      return status?.engineUp === true && status.agentPid === pid
    },
  }
  const fixed = Number(settings.edgeHttpPort)
  return { part, httpPort: () => (fixed > 0 ? fixed : readJson<NodeStatus>(statusFile)?.httpPort) }
}

/** The authority's fingerprint and, while the node has no identity of its own (any more), a fresh one-time token. */
async function enrolment(dir: string, server: ControlPlane): Promise<{ caSha256: string; token?: string }> {
  const trustFile = join(dir, 'control.json')
  const kept = readJson<{ caSha256: string }>(trustFile)
  if (kept && existsSync(join(dir, 'identity.json'))) return kept
  const { token, caSha256 } = await server.command('enroll-token', '--name', 'local', '--group', '1', '--replace')
  if (typeof token !== 'string' || typeof caSha256 !== 'string') throw new Error('the server gave no enrolment token')
  writeWhole(trustFile, JSON.stringify({ caSha256 }))
  return { caSha256, token }
}
