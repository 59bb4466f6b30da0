/** The consoles' pages and their files: one build, four addresses. */
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { ConsoleId } from '@tidegate/contract/enums'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pageCsp } from './security-headers.ts'

export const CONSOLE_PAGES: readonly { console: ConsoleId; path: string }[] = [
  { console: 'admin', path: '/admin/' },
  { console: 'dns-admin', path: '/dns-admin/' },
  { console: 'user', path: '/' },
  { console: 'dns-user', path: '/dns/' },
]

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wav': 'audio/wav',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}
const ENCODINGS = [
  { name: 'br', ext: '.br' },
  { name: 'gzip', ext: '.gz' },
] as const

interface Asset {
  file: string
  type: string
  immutable: boolean
  packed: { name: string; file: string }[]
}

/** All files of the built console but its page, by their path below a console's address. */
const readAssets = async (dir: string): Promise<Map<string, Asset>> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name))
  const all = new Set(files)
  const assets = new Map<string, Asset>()
  for (const file of files) {
    const type = TYPES[extname(file)]
    const path = relative(dir, file).split(sep).join('/')
    if (type === undefined || path === 'index.html') continue
    const packed = ENCODINGS.filter((e) => all.has(file + e.ext)).map((e) => ({ name: e.name, file: file + e.ext }))
    assets.set(path, { file, type, immutable: path.startsWith('assets/'), packed })
  }
  return assets
}

const sendAsset = async (asset: Asset, request: FastifyRequest, reply: FastifyReply) => {
  const accepted = new Set(
    (request.headers['accept-encoding'] ?? '').split(',').map((e) => e.trim().split(';')[0] ?? ''),
  )
  const packed = asset.packed.find((p) => accepted.has(p.name))
  reply
    .type(asset.type)
    .header('vary', 'accept-encoding')
    .header('cache-control', asset.immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (packed) reply.header('content-encoding', packed.name)
  return reply.send(await readFile(packed?.file ?? asset.file))
}

/** The page with a nonce of its own, never stored. */
const sendPage = async (file: string, reply: FastifyReply) => {
  const nonce = randomBytes(16).toString('base64')
  const html = (await readFile(file, 'utf8')).replaceAll('__CSP_NONCE__', nonce)
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', pageCsp(nonce))
    .send(html)
}

/** Serves the consoles' pages from the folder of the built console. */
export const mountConsoles = async (app: FastifyInstance, dir: string): Promise<void> => {
  const assets = await readAssets(dir)
  const page = join(dir, 'index.html')
  for (const { path } of CONSOLE_PAGES) {
    app.get(path, (_request, reply) => sendPage(page, reply))
    if (path !== '/') app.get(path.slice(0, -1), (_request, reply) => reply.redirect(path, 308))
    app.get<{ Params: { '*': string } }>(`${path}*`, (request, reply) => {
      const asset = assets.get(request.params['*'])
      return asset ? sendAsset(asset, request, reply) : reply.callNotFound()
    })
  }
  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const asset = assets.get(`assets/${request.params['*']}`)
    return asset ? sendAsset(asset, request, reply) : reply.callNotFound()
  })
}
