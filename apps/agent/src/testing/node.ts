/** A node under test: the bundled agent as a process of its own, with a real nginx, in a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { z } from 'zod'
import { isAlive, type ProcessId, signalProcess } from '../engine/proc.ts'
import type { ControlPlane } from './control-plane.ts'
import { until } from './wait.ts'

const ROOT = new URL('../../../../', import.meta.url).pathname
let bundled: Promise<string> | undefined

/** Bundles the agent as `npm run build` does; once per test file. Gives the file's path. */
export function bundleAgent(): Promise<string> {
  bundled ??= (async () => {
    const outfile = join(await mkdtemp(join(tmpdir(), 'tga-bundle-')), 'agent.mjs')
    await build({
      entryPoints: [join(ROOT, 'apps/agent/src/main.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    })
    return outfile
  })()
  return bundled
}

const statusFile = z.object({
  revision: z.int(),
  engineUp: z.boolean(),
  controlPlane: z.string(),
  clockSkewMs: z.number(),
  httpPort: z.int(),
  httpsPort: z.int(),
  refused: z.array(z.string()),
  alerts: z.array(z.string()),
  droppedLines: z.int(),
  spoolBytes: z.int(),
  unresolvedOrigins: z.array(z.string()),
  agentPid: z.int(),
})
export type NodeStatus = z.infer<typeof statusFile>
export type Answer = Readonly<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>

export class NodeUnderTest {
  readonly dir: string
  private readonly plane: ControlPlane
  private readonly env: Record<string, string>
  private child: ChildProcess | undefined
  output = ''

  private constructor(dir: string, plane: ControlPlane, env: Record<string, string>) {
    this.dir = dir
    this.plane = plane
    this.env = env
  }

  /** A folder and settings; nothing runs yet. */
  static async make(plane: ControlPlane, env: Record<string, string> = {}): Promise<NodeUnderTest> {
    const dir = await mkdtemp(join(tmpdir(), 'tga-'))
    await chmod(dir, 0o711)
    return new NodeUnderTest(dir, plane, { TIDEGATE_ENROLL_TOKEN: plane.issueToken(), ...env })
  }

  get nodeDir(): string {
    return join(this.dir, 'node')
  }

  get pid(): number {
    return this.child?.pid ?? -1
  }

  async start(env: Record<string, string> = {}): Promise<void> {
    const file = await bundleAgent()
    const child = spawn(process.execPath, [file], {
      env: {
        PATH: process.env.PATH ?? '',
        TIDEGATE_NODE_DIR: this.nodeDir,
        TIDEGATE_RUN_DIR: join(this.dir, 'run'),
        TIDEGATE_CONTROL_URL: this.plane.url,
        TIDEGATE_CA_SHA256: this.plane.authority.caSha256,
        TIDEGATE_EDGE_HTTP_PORT: '0',
        TIDEGATE_EDGE_HTTPS_PORT: '0',
        TIDEGATE_ENGINE_ROOT: process.env.TIDEGATE_ENGINE_ROOT ?? '',
        TIDEGATE_EDGE_DIR: join(ROOT, 'edge'),
        TIDEGATE_CACHE_MAX_MB: '64',
        ...this.env,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.output += chunk
      })
    }
    await once(child, 'spawn')
  }

  /** Waits until the agent ends by itself; gives its exit code. */
  async exitCode(): Promise<number | null> {
    const child = this.child
    if (child === undefined) throw new Error('not started')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    return child.exitCode
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  async status(): Promise<NodeStatus> {
    return statusFile.parse(JSON.parse(await readFile(join(this.nodeDir, 'status.json'), 'utf8')))
  }

  /** Waits until status.json, as the running agent writes it, says what is wanted. */
  async untilStatus(what: string, holds: (status: NodeStatus) => boolean, ms?: number): Promise<NodeStatus> {
    return until(
      () => `${what}\n${this.output.slice(-2000)}`,
      async () => {
        const status = await this.status().catch(() => undefined)
        return status !== undefined && status.agentPid === this.pid && holds(status) && status
      },
      ms,
    )
  }

  async master(): Promise<ProcessId> {
    const text = await readFile(join(this.nodeDir, 'engine', 'master.json'), 'utf8')
    return z.object({ pid: z.int(), startTime: z.string() }).parse(JSON.parse(text))
  }

  /** A request through the node's listener, as a visitor makes it. Rejects when nobody listens. */
  async get(host: string, path = '/'): Promise<Answer> {
    const { httpPort } = await this.status()
    return new Promise((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port: httpPort, path, agent: false, headers: { host } }, (answer) => {
        let body = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
        answer.on('error', reject)
      })
      call.on('error', reject)
      call.end()
    })
  }

  async spoolFiles(): Promise<string[]> {
    return (await readdir(join(this.nodeDir, 'spool'))).filter((name) => name.endsWith('.json.gz')).sort()
  }

  /** Ends the agent and its engine, exactly these, and removes the folder. */
  async destroy(): Promise<void> {
    await this.stop('SIGKILL')
    if (existsSync(join(this.nodeDir, 'engine', 'master.json'))) {
      const id = await this.master()
      await signalProcess(id, 'SIGTERM')
      await until('the engine ends', async () => !(await isAlive(id)))
    }
    await rm(this.dir, { recursive: true, force: true })
  }
}
