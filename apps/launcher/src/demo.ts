import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join, relative } from 'node:path'
import { freePort } from '@tidegate/embedded/start'
import { INSTANCE_VARIABLE, PART_VARIABLE, startChild } from './child.ts'
import { rememberedPort, rememberPort } from './ports.ts'
import type { Settings } from './settings.ts'
import type { Part } from './supervisor.ts'

export const DEMO_DOMAIN = 'demo.tidegate.test'
const REQUESTS_PER_SECOND = 2
const multiarch: Record<string, string> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }

export interface DemoOrigin {
  part: Part
  address(): string
}

/** A stock nginx on a loopback port of its own that serves a real web site. */
export function demoOrigin(settings: Settings, logDir: string, instance: string, pages: string): DemoOrigin {
  const dir = join(settings.dataDir, 'demo')
  let port = 0
  const part: Part = {
    name: 'origin',
    readyWithinMs: 15_000,
    stopSignal: 'SIGQUIT',
    stopWithinMs: 10_000,
    async start() {
      mkdirSync(join(dir, 'temp'), { recursive: true, mode: 0o700 })
      port ||= await demoPort(join(dir, 'port'))
      const conf = join(dir, 'nginx.conf')
      writeFileSync(conf, originConf(dir, pages, port))
      const lib = multiarch[process.arch] ?? ''
      const prefix = settings.engineRoot
      return await startChild({
        program: join(prefix || '/', 'usr', 'sbin', 'nginx'),
        args: ['-e', 'stderr', '-c', conf, '-p', dir],
        logFile: join(logDir, 'demo-origin.log'),
        env: {
          PATH: settings.env.PATH,
          ...(prefix ? { LD_LIBRARY_PATH: `${prefix}/usr/lib/${lib}:${prefix}/lib/${lib}` } : {}),
          [INSTANCE_VARIABLE]: instance,
          [PART_VARIABLE]: 'origin',
        },
      })
    },
    isReady: async () => (await statusAt(port, 'localhost', '/')) !== undefined,
  }
  return { part, address: () => `127.0.0.1:${port}` }
}

/** The port of last time, else a free one that is remembered: the site's origin and what is allowed for it stay as they are. */
async function demoPort(file: string): Promise<number> {
  const remembered = await rememberedPort(file, '127.0.0.1')
  if (remembered !== undefined) return remembered
  const port = await freePort()
  rememberPort(file, port)
  return port
}

function originConf(dir: string, pages: string, port: number): string {
  const quoted = (path: string) => `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return [
    'daemon off;',
    'worker_processes 1;',
    // Its pages are in the data folder, which only its owner may enter.
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    `pid ${quoted(join(dir, 'nginx.pid'))};`,
    'events { worker_connections 256; }',
    'http {',
    '  types { text/html html htm; text/css css; image/png png; image/jpeg jpg jpeg; image/svg+xml svg; text/javascript js; }',
    '  access_log off;',
    ...temps.map((name) => `  ${name}_temp_path ${quoted(join(dir, 'temp', name))};`),
    '  server {',
    `    listen 127.0.0.1:${port};`,
    `    root ${quoted(pages)};`,
    '    index index.html;',
    '    expires 10m;',
    '  }',
    '}',
    '',
  ].join('\n')
}

/** Asks the edge for the demo's pages, two requests a second, never more than one at a time; returns the stop. */
export function startTrickle(pages: string, edgePort: () => number | undefined): () => void {
  const paths = pagePaths(pages)
  let busy = false
  let turn = 0
  const timer = setInterval(async () => {
    const port = edgePort()
    if (busy || !port) return
    busy = true
    // Every second request is for one of a few pages, as on a real site, so that the cache has something to do.
    turn = (turn + 1) % (paths.length * 2)
    const path = paths[turn % 2 === 0 ? (turn / 2) % 7 : Math.floor(turn / 2)] ?? '/'
    await statusAt(port, DEMO_DOMAIN, path)
    busy = false
  }, 1_000 / REQUESTS_PER_SECOND)
  return () => clearInterval(timer)
}

function pagePaths(pages: string): string[] {
  const files = readdirSync(pages, { recursive: true, withFileTypes: true })
  const paths = files.filter((file) => file.isFile()).map((file) => relative(pages, join(file.parentPath, file.name)))
  return ['/', ...paths.sort().map((path) => `/${path.split('/').map(encodeURIComponent).join('/')}`)]
}

async function statusAt(port: number, host: string, path: string): Promise<number | undefined> {
  return await new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { host }, timeout: 5_000, agent: false })
    asked.on('response', (response) => {
      response.resume()
      response.on('close', () => resolve(response.statusCode))
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(undefined))
    asked.end()
  })
}
