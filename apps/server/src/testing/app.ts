/** The whole server on a database of its own, driven through `inject()`. */
import { rm } from 'node:fs/promises'
import { Writable } from 'node:stream'
import type { TestDatabase } from '@tidegate/testkit/database'
import { makeScratch } from '@tidegate/testkit/scratch'
import { type Built, buildApp, buildParts, type Replacements } from '../compose.ts'
import { closeContext, openContext } from '../context.ts'
import type { App } from '../http/server.ts'
import type { Clock } from '../platform/clock.ts'
import { readEnv } from '../platform/env.ts'
import { createLog } from '../platform/log.ts'
import { testDatabase } from './database.ts'

export const ADMIN_PASSWORD = 'first-Password1'

export interface FakeClock extends Clock {
  /** Moves on by seconds. */
  advance(seconds: number): void
}

/** Begins at the present: rows that the database stamps itself stay near. */
export const fakeClock = (start = Date.now()): FakeClock => {
  let now = start
  return {
    now: () => now,
    advance: (seconds) => {
      now += seconds * 1000
    },
  }
}

export interface TestServer {
  built: Built
  app: App
  clock: FakeClock
  database: TestDatabase
  dataDir: string
  /** All that was logged so far. */
  logged(): string
  close(): Promise<void>
}

/** `env`: variables beside the necessary ones; `replace`: parts that tests look into. */
export const testServer = async (env: Record<string, string> = {}, replace: Replacements = {}): Promise<TestServer> => {
  const database = await testDatabase()
  const dataDir = makeScratch('tg-server-')
  const clock = fakeClock()
  let text = ''
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString()
      done()
    },
  })
  const full = readEnv({
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    TIDEGATE_DATA: dataDir,
    TIDEGATE_ADMIN_PASSWORD: ADMIN_PASSWORD,
    ...env,
  })
  const context = await openContext(full, createLog('debug', 'test', sink), clock)
  const built = buildParts(context, replace)
  await built.identity.ensureFirstAdmin()
  const app = await buildApp(built)
  const close = async () => {
    await app.stop()
    await built.plane.publish.close()
    await closeContext(context)
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { built, app, clock, database, dataDir, logged: () => text, close }
}

export interface Reply {
  status: number
  headers: Record<string, string | number | string[] | undefined>
  body: Record<string, unknown>
}

interface Call {
  method?: 'GET' | 'POST'
  token?: string | undefined
  body?: unknown
  headers?: Record<string, string>
  ip?: string
}

/** One request; POST with a JSON body unless said otherwise. */
export const call = async (server: TestServer, path: string, options: Call = {}): Promise<Reply> => {
  const method = options.method ?? 'POST'
  return await inject(server, path, options, {
    method,
    ...(method === 'POST' && { payload: (options.body ?? {}) as object }),
  })
}

const BOUNDARY = 'tidegate-test-form'
const field = (name: string, value: unknown) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`

/** The same with a form and a file in it. */
export const callForm = async (
  server: TestServer,
  path: string,
  fields: Record<string, unknown>,
  file: Uint8Array,
  options: Call & { filename?: string; fileType?: string } = {},
): Promise<Reply> => {
  const texts = Object.entries(fields).map(([name, value]) => field(name, value))
  const { filename = 'picture.png', fileType = 'image/png' } = options
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: ${fileType}\r\n\r\n`
  const payload = Buffer.concat([
    Buffer.from(texts.join('') + head),
    Buffer.from(file),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...options.headers }
  return await inject(server, path, { ...options, headers }, { method: 'POST', payload })
}

const inject = async (
  server: TestServer,
  path: string,
  options: Call,
  request: { method: 'GET' | 'POST'; payload?: object | Buffer },
): Promise<Reply> => {
  const response = await server.app.server.inject({
    ...request,
    url: path.startsWith('/') ? path : `/antsxdp/${path}`,
    headers: { lang: 'en', ...(options.token && { token: options.token }), ...options.headers },
    ...(options.ip && { remoteAddress: options.ip }),
  })
  const isJson = String(response.headers['content-type']).startsWith('application/json')
  return {
    status: response.statusCode,
    headers: response.headers,
    body: isJson ? (response.json() as Record<string, unknown>) : { text: response.body },
  }
}

/** Token of the first administrator. */
export const adminToken = async (server: TestServer): Promise<string> => {
  const reply = await call(server, 'sys/login', { body: { username: 'admin', password: ADMIN_PASSWORD } })
  if (reply.status !== 200) throw new Error(`login: ${JSON.stringify(reply.body)}`)
  return String(reply.body.token)
}
