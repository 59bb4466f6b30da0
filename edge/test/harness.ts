/** A real nginx with the edge's Lua in a directory of its own, driven through its admin socket as the agent does it. */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type EngineApplied,
  type EngineDict,
  type EngineItem,
  type EngineSite,
  type EngineStatus,
  engineApplied,
  engineDict,
  engineStatus,
} from '@tidegate/contract/node/engine'
import { chooseWorkerUser, edgeDirs, edgeSockets } from '@tidegate/engine-files/edge-layout'
import { enginePaths, nginxCommand } from '@tidegate/engine-files/engine-root'
import { type NginxConfParams, renderNginxConf } from '@tidegate/engine-files/nginx'
import { freePorts } from '@tidegate/testkit/ports'
import { makeCertificate } from './certificates.ts'
import { type Answer, ask, type Question } from './http-client.ts'
import { LogListener } from './log-listener.ts'
import { waitFor } from './wait.ts'

const NOBODY = 65534
export const PROBE_SECRET = '0123456789abcdef0123456789abcdef'
export const LUA_DIR = fileURLToPath(new URL('../lua', import.meta.url))

/** Command line of a process; empty when it has ended. */
function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

export class Edge {
  readonly log: LogListener
  httpPort = 0
  httpsPort = 0
  revision = 0
  private child: ChildProcess | null = null
  private params: NginxConfParams | null = null
  private readonly inForce = new Map<string, EngineItem>()

  private constructor(readonly dir: string) {
    this.log = new LogListener(edgeSockets(join(dir, 'r')).log)
  }

  /** Makes the directories and starts nginx; `workers` processes. */
  static async start(options: { workers?: number; over?: Partial<NginxConfParams> } = {}): Promise<Edge> {
    const dir = mkdtempSync(join(tmpdir(), 'tge-'))
    chmodSync(dir, 0o711)
    const edge = new Edge(dir)
    await edge.prepare(options.workers ?? 1, options.over ?? {})
    await edge.launch()
    return edge
  }

  private async prepare(workers: number, over: Partial<NginxConfParams>): Promise<void> {
    const [httpPort, httpsPort] = await freePorts(2)
    this.httpPort = httpPort!
    this.httpsPort = httpsPort!
    const at = (name: string) => join(this.dir, name)
    const dirs = { runtimeDir: at('r'), stateDir: at('state'), cacheDir: at('cache'), tempDir: at('temp') }
    const workerUser = chooseWorkerUser(
      process.getuid!(),
      [dirs.runtimeDir, dirs.cacheDir, dirs.tempDir],
      (path) => statSync(path, { throwIfNoEntry: false })?.mode ?? null,
    )
    for (const entry of edgeDirs(dirs)) {
      mkdirSync(entry.path, { mode: entry.mode })
      chmodSync(entry.path, entry.mode)
      if (entry.owner === 'worker' && workerUser === 'nobody') chownSync(entry.path, NOBODY, NOBODY)
    }
    const fallback = makeCertificate(['default.invalid'])
    writeFileSync(at('default.crt'), fallback.cert)
    writeFileSync(at('default.key'), fallback.key, { mode: 0o600 })
    writeFileSync(at('probe'), `${PROBE_SECRET}\n`, { mode: 0o600 })
    this.params = {
      engine: enginePaths(process.env.TIDEGATE_ENGINE_ROOT ?? ''),
      luaDir: LUA_DIR,
      ...dirs,
      errorLog: at('error.log'),
      cacheMaxMb: 256,
      bind: ['127.0.0.1'],
      httpPorts: [this.httpPort],
      httpsPorts: [this.httpsPort],
      defaultCert: at('default.crt'),
      defaultKey: at('default.key'),
      probeSecretFile: at('probe'),
      workers,
      workerUser,
      workerShutdownTimeout: 5,
      workerConnections: 4096,
      trustedCa: null,
      ...over,
    }
    writeFileSync(at('nginx.conf'), renderNginxConf(this.params))
  }

  /** Starts nginx on what is on the disk. */
  async launch(): Promise<void> {
    const sockets = edgeSockets(join(this.dir, 'r'))
    for (const path of [sockets.admin, sockets.inner]) rmSync(path, { force: true })
    const paths = {
      conf: join(this.dir, 'nginx.conf'),
      errorLog: join(this.dir, 'error.log'),
      runtimeDir: join(this.dir, 'r'),
    }
    const command = nginxCommand(this.params!.engine, paths, 'start')
    const child = spawn(command.file, command.args, {
      cwd: command.cwd,
      env: { ...process.env, ...command.env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    this.child = child
    await waitFor('nginx', async () => {
      if (child.exitCode !== null) throw new Error(`nginx ended: ${this.errorLog()}`)
      return this.status().then(
        () => true,
        () => false,
      )
    })
  }

  /** Ends nginx: QUIT in order, TERM at once, KILL as a crash. */
  async end(signal: 'SIGQUIT' | 'SIGTERM' | 'SIGKILL' = 'SIGQUIT'): Promise<void> {
    const child = this.child
    this.child = null
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  /** Processes of this nginx that outlived its master: the cache's helpers do. */
  orphans(): number[] {
    const runtimeDir = join(this.dir, 'r')
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => {
        try {
          const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
          return title.startsWith('nginx: ') && readlinkSync(`/proc/${pid}/cwd`) === runtimeDir
        } catch {
          return false
        }
      })
  }

  async destroy(): Promise<void> {
    await this.end('SIGTERM')
    for (const pid of this.orphans()) process.kill(pid, 'SIGKILL')
    await this.log.close()
    rmSync(this.dir, { recursive: true, force: true })
  }

  get masterPid(): number {
    return this.child!.pid!
  }

  /** Process ids of the workers. */
  workers(): number[] {
    const pid = this.masterPid
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
    return children.filter((child) => titleOf(child).includes('worker process'))
  }

  errorLog(): string {
    return readFileSync(join(this.dir, 'error.log'), 'utf8')
  }

  admin(path: string, body?: string): Promise<Answer> {
    const question: Question = { socketPath: edgeSockets(join(this.dir, 'r')).admin, headers: { Host: 'admin' } }
    return ask(path, body === undefined ? question : { ...question, method: 'POST', body })
  }

  async status(): Promise<EngineStatus> {
    return engineStatus.parse(JSON.parse((await this.admin('/status')).body))
  }

  /** What a shared dict holds; keys and texts as they are. */
  async dict(question: Record<string, string>): Promise<EngineDict> {
    const query = new URLSearchParams(question)
    for (const name of ['prefix', 'after', 'key']) {
      const text = query.get(name)
      if (text !== null) query.set(name, Buffer.from(text).toString('base64'))
    }
    const plain = (text: string) => Buffer.from(text, 'base64').toString('latin1')
    const dict = engineDict.parse(JSON.parse((await this.admin(`/dict?${query}`)).body))
    const entries = dict.entries.map((entry) => ({ ...entry, key: plain(entry.key), value: plain(entry.value) }))
    return { ...dict, entries, next: plain(dict.next) }
  }

  /** Applies items as the next revision and keeps the snapshot as the agent would. */
  async apply(items: EngineItem[], full = false): Promise<EngineApplied> {
    this.revision += 1
    const answer = await this.admin('/apply', JSON.stringify({ revision: this.revision, full, items }))
    const applied = engineApplied.parse(JSON.parse(answer.body))
    if (full) {
      const named = new Set(items.map((item) => `${item.kind} ${item.key}`))
      for (const [name, item] of this.inForce) if (item.kind !== 'purge' && !named.has(name)) this.inForce.delete(name)
    }
    const refused = new Set(applied.refused.map((item) => `${item.kind} ${item.key}`))
    for (const item of items) {
      if (refused.has(`${item.kind} ${item.key}`)) continue
      const before = this.inForce.get(`${item.kind} ${item.key}`)
      if (item.kind === 'purge' && before?.kind === 'purge' && before.body!.generation > item.body!.generation) continue
      if (item.body === null) this.inForce.delete(`${item.kind} ${item.key}`)
      else this.inForce.set(`${item.kind} ${item.key}`, item)
    }
    this.saveState()
    return applied
  }

  private saveState(): void {
    const items = [...this.inForce.values()]
    const settings = items.find((item) => item.kind === 'settings')?.body ?? undefined
    writeFileSync(join(this.dir, 'state/meta.json'), JSON.stringify({ revision: this.revision, settings }))
    for (const kind of ['site', 'cert', 'challenge', 'purge']) {
      const lines = items.filter((item) => item.kind === kind).map((item) => `${JSON.stringify(item)}\n`)
      writeFileSync(join(this.dir, `state/${kind}s.jsonl`), lines.join(''), { mode: 0o600 })
    }
  }

  get(host: string, path: string, question: Question = {}): Promise<Answer> {
    const port = question.tls === true ? this.httpsPort : this.httpPort
    return ask(path, { port, ...question, headers: { Host: host, ...question.headers } })
  }

  /** Items that allow every private origin, as most tests need. */
  static allowPrivate(list: string[] = ['*']): EngineItem {
    return { kind: 'settings', key: 'group', body: { allowedPrivateOrigins: list, cacheMaxMb: 256, brand: 'Tidegate' } }
  }
}

type Over = Partial<Omit<EngineSite, 'origin' | 'cache' | 'https'>> & {
  origin?: Partial<EngineSite['origin']>
  cache?: Partial<EngineSite['cache']>
  https?: Partial<EngineSite['https']>
}

/** A site item with one origin on loopback and everything else at its least. */
export function siteItem(id: number, hosts: string[], port: number, over: Over = {}): EngineItem {
  const server = { host: '127.0.0.1', httpPort: port, httpsPort: port, line: 'main' as const, weight: 1 }
  const { origin, cache, https, ...rest } = over
  const body: EngineSite = {
    id,
    hosts,
    enabled: true,
    origin: {
      protocol: 'http',
      balance: 'polling',
      servers: [server],
      hostHeader: '',
      sni: '',
      verifyTls: false,
      connectTimeout: 2,
      readTimeout: 5,
      retries: 0,
      ...origin,
    },
    cache: {
      enabled: true,
      rules: [],
      noCache: [],
      ignoreQuery: false,
      staleWhileRevalidate: 0,
      staleIfError: 0,
      ...cache,
    },
    https: { cert: '', redirect: false, redirectStatus: 301, hstsMaxAge: 0, ...https },
    addresses: (origin?.servers ?? [server]).map(() => ['127.0.0.1']),
    ...rest,
  }
  return { kind: 'site', key: String(id), body }
}

export function purgeItem(siteId: number, kind: 'site' | 'url' | 'dir', value: string, generation: number): EngineItem {
  const key = kind === 'site' ? String(siteId) : `${siteId} ${kind} ${value}`
  return { kind: 'purge', key, body: { siteId, kind, value, generation } }
}

/** Cache rule that keeps everything for `ttl` seconds. */
export function keepAll(ttl: number): { type: 'all'; match: string; ttl: number } {
  return { type: 'all', match: '', ttl }
}
