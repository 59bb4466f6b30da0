/** A whole installation for one test: the production bundles, started by the launcher on a data folder of its own, every port free. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallOf, OutputOf } from '@tidegate/contract/operations/index'
import { endProcess, type ProcessIdentity } from '@tidegate/embedded/process'
import { type Api, createApi } from './lib/api.ts'
import type { Origin } from './lib/origin.ts'
import { kill, type PartOfStack, processesIn, processesOf } from './lib/processes.ts'
import { type Answer, type EdgePorts, type Visit, visit } from './lib/visitor.ts'
import { waitFor, within } from './lib/wait.ts'

export const ROOT = join(import.meta.dirname, '..')
export const ADMIN = { username: 'admin', password: 'Whole-system-1' }

export interface NodeStatus extends EdgePorts {
  nodeId: number
  revision: number
  engineUp: boolean
  controlPlane: string
  sites: number
  refused: string[]
  spoolBytes: number
  droppedLines: number
  alerts: string[]
  agentPid: number
}

export interface StackOptions {
  /** An existing folder to live in, e.g. a small file system of its own; it is not removed. */
  dataDir?: string
  env?: Record<string, string>
  args?: string[]
}

type Push = OutputOf<'site.save'>['push']
export type PushDetail = OutputOf<'push.feedback'>['data']

export class Stack {
  readonly dataDir: string
  readonly api: Api
  private readonly own: boolean
  private readonly options: StackOptions
  private launcher: ChildProcess | undefined
  private output = ''
  private url = ''

  private constructor(options: StackOptions) {
    this.options = options
    this.own = options.dataDir === undefined
    this.dataDir = realpathSync(options.dataDir ?? mkdtempSync(join(tmpdir(), 'tidegate-e2e-')))
    this.api = createApi(() => this.baseUrl)
  }

  /** Starts everything, logs in, and resolves once the local node is green. Whatever started is ended when it fails. */
  static async start(options: StackOptions = {}): Promise<Stack> {
    return await Stack.begin(options, async (stack) => void (await stack.untilGreen()))
  }

  /** Like `start`, without a local node. */
  static async startControlPlane(options: StackOptions = {}): Promise<Stack> {
    return await Stack.begin({ ...options, args: [...(options.args ?? []), '--control-plane-only'] }, async () => {})
  }

  private static async begin(options: StackOptions, ready: (stack: Stack) => Promise<void>): Promise<Stack> {
    const stack = new Stack(options)
    try {
      await stack.launch()
      await stack.api.login(ADMIN.username, ADMIN.password)
      await ready(stack)
      return stack
    } catch (error) {
      const told = stack.explain()
      await stack.destroy()
      throw new Error(`${(error as Error).message}\n${told}`, { cause: error })
    }
  }

  /** Starts the launcher and resolves with the milliseconds until it said that everything runs. */
  async launch(env: Record<string, string> = {}): Promise<number> {
    const since = performance.now()
    this.output = ''
    const launcher = spawn(process.execPath, [join(ROOT, 'dist', 'launcher.mjs'), ...(this.options.args ?? [])], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        LANG: 'en_US.UTF-8',
        TIDEGATE_ENGINE_ROOT: process.env.TIDEGATE_ENGINE_ROOT ?? '',
        TIDEGATE_DATA: this.dataDir,
        TIDEGATE_HTTP_PORT: '0',
        TIDEGATE_AGENT_PORT: '0',
        TIDEGATE_EDGE_HTTP_PORT: '0',
        TIDEGATE_EDGE_HTTPS_PORT: '0',
        TIDEGATE_ADMIN_PASSWORD: ADMIN.password,
        TIDEGATE_ALLOW_PRIVATE_ORIGINS: '1',
        ...this.options.env,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.launcher = launcher
    for (const stream of [launcher.stdout, launcher.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        this.output += chunk
      })
    }
    await waitFor(
      () => {
        if (this.output.includes('running; Ctrl-C stops everything')) return true
        return this.launcherOver && Promise.reject(new Error('the launcher ended'))
      },
      () => `the launcher to say that everything runs\n${this.explain()}`,
      120_000,
    )
    return performance.now() - since
  }

  private get launcherOver(): boolean {
    const { launcher } = this
    return !launcher || launcher.exitCode !== null || launcher.signalCode !== null
  }

  /** The console's address as the launcher printed it last, e.g. http://127.0.0.1:41234/admin/ */
  get consoleUrl(): string {
    this.url = /console\s+(https?:\S+)/.exec(this.output)?.[1] ?? this.url
    if (!this.url) throw new Error(`no address of the console in:\n${this.output}`)
    return this.url
  }

  get baseUrl(): string {
    return new URL('/', this.consoleUrl).href
  }

  /** What the launcher printed. */
  get terminal(): string {
    return this.output
  }

  /** What the agent says of itself in the node's folder. */
  get node(): NodeStatus {
    return JSON.parse(readFileSync(join(this.dataDir, 'node', 'status.json'), 'utf8')) as NodeStatus
  }

  /** The running processes of a part. */
  processes(part: PartOfStack): ProcessIdentity[] {
    return processesOf(this.dataDir, part)
  }

  /** The one process of a part; throws when there is none. */
  process(part: PartOfStack): ProcessIdentity {
    const found = this.processes(part)[0]
    if (!found) throw new Error(`no ${part} is running`)
    return found
  }

  /** kill -9 of a part (of one worker, if it is a worker); resolves with who it was once it is gone. */
  async kill(part: PartOfStack, victim = this.process(part)): Promise<ProcessIdentity> {
    await kill(victim)
    return victim
  }

  /** kill -9 of the launcher alone: what it started goes on. */
  async killLauncher(): Promise<void> {
    const { launcher } = this
    if (!launcher || this.launcherOver) throw new Error('no launcher is running')
    const ended = once(launcher, 'exit')
    launcher.kill('SIGKILL')
    await within(ended, 'the end of the launcher', 5_000)
  }

  /** Everything of this installation that runs. */
  everyProcess() {
    return processesIn([this.dataDir, this.runDir])
  }

  /** Where sockets and ports are, by the launcher's rule. */
  get runDir(): string {
    const name = createHash('sha256').update(this.dataDir).digest('hex').slice(0, 10)
    const uid = process.getuid?.() ?? 0
    return uid === 0 ? `/run/tidegate-${name}` : join(tmpdir(), `tidegate-${uid}-${name}`)
  }

  /** Resolves with the node's row once it is online and runs what it should. */
  async untilGreen(limitMs = 60_000) {
    return await waitFor(
      async () => {
        const { data } = await this.api.call('node.list', {})
        const row = data.list.find((node) => node.name === 'local')
        return row?.state === 'online' && row.engineUp && row.appliedRevision >= row.desiredRevision && row
      },
      'the node to be green',
      limitMs,
    )
  }

  /** One request through the edge. */
  visit(host: string, options: Visit = {}): Promise<Answer> {
    return visit(this.node, host, options)
  }

  /** Saves a site with one origin (unless the input says otherwise). */
  async saveSite(
    domain: string,
    origin: Pick<Origin, 'host' | 'port'>,
    more: Partial<CallOf<'site.save'>> = {},
  ): Promise<OutputOf<'site.save'>> {
    return await this.api.call('site.save', {
      domains: [domain],
      originProtocol: 'http',
      origins: [{ host: origin.host, port: origin.port }],
      ...more,
    })
  }

  /** Resolves with the push once no node's answer is outstanding. */
  async pushed(push: Push, limitMs = 20_000): Promise<PushDetail> {
    return await waitFor(
      async () => {
        const { data } = await this.api.call('push.feedback', push)
        return data.state !== 'pending' && data
      },
      () => `every node's answer to revision ${push.revision}\n${this.explain()}`,
      limitMs,
    )
  }

  /** The figures of the last six hours. */
  async figures() {
    return (await this.api.call('overview.chart', { range: '6h' })).data
  }

  /** Ctrl-C; resolves with the milliseconds until the launcher had ended. Rejects when it ends otherwise than in order. */
  async interrupt(limitMs = 60_000): Promise<number> {
    const { launcher } = this
    if (!launcher) throw new Error('not started')
    const since = performance.now()
    const ended = this.launcherOver ? Promise.resolve([launcher.exitCode]) : once(launcher, 'exit')
    launcher.kill('SIGINT')
    const [code] = await within(ended, `Ctrl-C\n${this.explain()}`, limitMs)
    if (code !== 0) throw new Error(`the launcher ended with ${code}\n${this.explain()}`)
    return performance.now() - since
  }

  /** What to print beside a failure. */
  explain(): string {
    const logs = ['server', 'agent', 'chdb', 'postgres'].map((name) => {
      const lines = tail(join(this.dataDir, 'logs', `${name}.log`), 12)
      return `--- ${name}.log\n${lines}`
    })
    return [`--- terminal\n${this.output.slice(-3_000)}`, ...logs].join('\n')
  }

  /** Ends every process of the installation and removes its folders; meant for `afterAll`, also after a failure. */
  async destroy(): Promise<void> {
    if (!this.launcherOver) await this.interrupt().catch(() => this.launcher?.kill('SIGKILL'))
    // The launcher first: it would start again what is ended here.
    for (let round = 0; round < 5; round++) {
      const left = this.everyProcess()
      if (left.length === 0) break
      for (const one of left) await endProcess(one, [['SIGKILL', 5_000]])
    }
    rmSync(this.runDir, { recursive: true, force: true })
    if (this.own) rmSync(this.dataDir, { recursive: true, force: true })
  }
}

function tail(file: string, lines: number): string {
  try {
    return readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-lines)
      .map((line) => line.slice(0, 500))
      .join('\n')
  } catch {
    return '(none)'
  }
}
