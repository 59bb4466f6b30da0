/** What became of an import whose answer was cut on the way: through a proxy that cuts, at each moment at which it may. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp, buildParts, MIGRATIONS } from '../../compose.ts'
import { closeContext, openContext } from '../../context.ts'
import type { Caller } from '../../platform/caller.ts'
import { AppError } from '../../platform/errors.ts'
import { createLog } from '../../platform/log.ts'
import { RESTORE_CARRIERS } from '../../restore-carriers.ts'
import { ADMIN_PASSWORD, adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { resumeRestore } from './index.ts'
import { importOutcomes } from './outcomes.ts'

const PASSPHRASE = 'a passphrase of this test'
const newRequest = () => randomBytes(16).toString('hex')

let server: TestServer
let token: string
let port: number
let good: Buffer

const post = (path: string, body: object) => call(server, path, { token, body })
const proofOf = async () => String((await post('sys/backup/prove', { password: ADMIN_PASSWORD })).body.proof)

beforeAll(async () => {
  server = await testServer()
  token = await adminToken(server)
  await post('sys/backup/settings/save', {
    proof: await proofOf(),
    target: { target: 'disk' },
    passphrase: PASSPHRASE,
  })
  const { body } = await post('sys/backup/make', {})
  const jobs = server.built.parts.flatMap((part) => part.jobs ?? [])
  await jobs.find(({ name }) => name === 'backup.make')?.run({ id: body.id })
  const dir = join(server.dataDir, 'backups')
  good = readFileSync(join(dir, readdirSync(dir)[0] ?? ''))
  await server.app.server.listen({ host: '127.0.0.1', port: 0 })
  port = (server.app.server.server.address() as AddressInfo).port
})
afterAll(() => server.close())

/** How much of what goes up, or comes down, is let through before the client's connection is cut; the server's is cut only when that is said. */
interface Cut {
  up?: number
  down?: number
  both?: boolean
  /** Waits for it before anything is cut. */
  when?: () => Promise<void>
}

/** A proxy for one connection. */
const cutting = async ({ up = Number.POSITIVE_INFINITY, down = Number.POSITIVE_INFINITY, both = false, when }: Cut) => {
  const open: Socket[] = []
  const proxy = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    open.push(client, upstream)
    const count = { up: 0, down: 0 }
    const end = async () => {
      await when?.()
      client.destroy()
      // Not torn down: what was let through arrives.
      if (both) upstream.end()
    }
    client.on('error', () => {})
    upstream.on('error', () => {})
    upstream.on('end', () => client.end())
    client.on('data', (piece: Buffer) => {
      const room = up - count.up
      count.up += piece.length
      upstream.write(piece.subarray(0, Math.max(0, room)), () => (count.up >= up ? void end() : undefined))
    })
    upstream.on('data', (piece: Buffer) => {
      const room = down - count.down
      count.down += piece.length
      if (room > 0) client.write(piece.subarray(0, room), () => (count.down >= down ? void end() : undefined))
      else void end()
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as AddressInfo).port,
    close: () => {
      for (const socket of open) socket.destroy()
      proxy.close()
    },
  }
}

/** Sends the file through the proxy; answers whether an answer came whole. `of`: gives the cut for the length of the request. */
const importing = async (
  file: Buffer,
  { request, passphrase = PASSPHRASE, proof }: { request: string; passphrase?: string; proof: string },
  of: (length: number, request: string) => Cut,
): Promise<boolean> => {
  const part = (name: string, value: string) =>
    `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const body = Buffer.concat([
    Buffer.from(part('proof', proof) + part('passphrase', passphrase) + part('request', request)),
    Buffer.from(
      '--edge\r\ncontent-disposition: form-data; name="file"; filename="x.backup"\r\ncontent-type: application/octet-stream\r\n\r\n',
    ),
    file,
    Buffer.from('\r\n--edge--\r\n'),
  ])
  const head = Buffer.from(
    `POST /antsxdp/sys/config/import/db HTTP/1.1\r\nhost: 127.0.0.1\r\ntoken: ${token}\r\nlang: zh\r\nconnection: close\r\n` +
      `content-type: multipart/form-data; boundary=edge\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  const proxy = await cutting(of(head.length + body.length, request))
  const client = connect(proxy.port, '127.0.0.1')
  let text = ''
  client.on('data', (piece: Buffer) => {
    text += piece.toString()
  })
  client.on('error', () => {})
  client.write(Buffer.concat([head, body]))
  await once(client, 'close')
  const length = /content-length: (\d+)/i.exec(text)?.[1]
  const whole = length !== undefined && text.split('\r\n\r\n')[1]?.length === Number(length)
  closing.push(proxy.close)
  return whole
}
const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

const outcome = async (request: string, lang = 'en') =>
  call(server, `sys/backup/outcome/${request}`, { method: 'GET', headers: { lang } })
const ended = async (request: string, lang = 'en') => {
  await expect
    .poll(async () => ((await outcome(request, lang)).body.data as { state?: string })?.state, { timeout: 30_000 })
    .toBe('refused')
  return (await outcome(request, lang)).body.data
}
const begun = async (request: string) =>
  expect.poll(async () => (await outcome(request)).body.data, { timeout: 30_000 }).toMatchObject({ state: 'checking' })
const damaged = () => good.subarray(0, good.length - 1)

it('tells the real reason in the language of who asks, wherever the answer was cut', async () => {
  const cases: [
    string,
    Buffer,
    (length: number, request: string) => Cut,
    object,
    { zh: string; en: string },
    string,
  ][] = [
    [
      'half of the file had come',
      good,
      (length, request) => ({ up: length >> 1, both: true, when: () => begun(request) }),
      {},
      { zh: '备份文件未传输完整，连接已中断', en: 'The connection was cut before the whole backup had come' },
      '',
    ],
    [
      'the whole file had come, no answer yet',
      damaged(),
      (length) => ({ up: length }),
      {},
      { zh: '备份文件不完整或已损坏', en: 'is cut off or damaged' },
      'file',
    ],
    [
      'before the first byte of the answer',
      Buffer.alloc(70_000, 7),
      () => ({ down: 0 }),
      {},
      { zh: '这不是 Tidegate 的备份文件', en: 'is not a backup of Tidegate' },
      'file',
    ],
    [
      'in the middle of the answer',
      good,
      () => ({ down: 100 }),
      { passphrase: 'not the passphrase of it' },
      { zh: '备份口令不正确', en: 'is not the passphrase of this backup' },
      'passphrase',
    ],
  ]
  for (const [what, file, cut, more, words, field] of cases) {
    server.clock.advance(1)
    const request = newRequest()
    const whole = await importing(file, { request, proof: await proofOf(), ...more }, cut)
    expect([what, whole]).toEqual([what, false])
    for (const lang of ['zh', 'en'] as const)
      expect([what, await ended(request, lang)]).toMatchObject([
        what,
        { request, by: 'admin', name: 'uploaded', field, error: words[lang] },
      ])
    const { body } = await call(server, 'sys/backup/state', { method: 'GET', token })
    expect(body.data).toMatchObject({ asked: { request, state: 'refused', field }, restoring: false })
  }
})

it('knows nothing of what never came, of another name, and takes a name once', async () => {
  const request = newRequest()
  await importing(good, { request, proof: await proofOf() }, () => ({ up: 60, both: true }))
  expect((await outcome(request)).body).toMatchObject({ code: 404, error: 'not_found' })
  expect((await outcome('../../master.key')).status).toBe(404)
  expect((await outcome('zz')).body).toMatchObject({ code: 400, errors: [{ path: 'request' }] })
  await importing(damaged(), { request, proof: await proofOf() }, () => ({}))
  expect(await ended(request)).toMatchObject({ field: 'file' })
  await importing(good, { request, proof: await proofOf(), passphrase: 'another' }, () => ({}))
  expect(await ended(request)).toMatchObject({ field: 'file' })
})

it('tells that the process ended that was at it, and forgets what is old', async () => {
  const outcomes = importOutcomes(server.dataDir, () => server.clock.now())
  const caller = { name: 'admin' } as Caller
  const request = newRequest()
  const never = new Promise<never>(() => {})
  void outcomes.during(request, caller, 'x', () => never)
  await expect.poll(async () => (await outcome(request)).body.data).toMatchObject({ state: 'checking' })
  const before = new Date(Date.now() - 60_000)
  utimesSync(join(server.dataDir, 'imports', `${request}.json`), before, before)
  expect((await outcome(request)).body.data).toMatchObject({
    state: 'refused',
    error: 'The restore was interrupted; nothing was changed',
  })
  for (let n = 0; n < 25; n++) {
    server.clock.advance(1)
    const refused = () => Promise.reject(new AppError('restoring'))
    await outcomes.during(newRequest(), caller, 'x', refused).catch(() => {})
  }
  expect(readdirSync(join(server.dataDir, 'imports')).length).toBeLessThanOrEqual(20)
})

it('tells of a restore whose answer was cut, after the database was replaced and the logins are gone', async () => {
  const request = newRequest()
  expect(await importing(good, { request, proof: await proofOf() }, () => ({ down: 0 }))).toBe(false)
  await expect.poll(async () => (await outcome(request)).body.data).toMatchObject({ state: 'restoring' })
  const { app, built: old } = server
  const { env } = old.context
  await app.stop()
  await old.plane.publish.close()
  await closeContext(old.context)
  // For the clean-up after this file.
  app.stop = async () => {}
  old.context.database.close = async () => {}
  await resumeRestore({
    env,
    ...{ log: createLog('silent', 'test'), version: 'test', migrations: MIGRATIONS, carriers: RESTORE_CARRIERS },
    ...{ now: () => server.clock.now(), maintenance: async () => ({ close: async () => {} }), patience: 10_000 },
  })
  const context = await openContext(env, createLog('silent', 'test'), server.clock)
  const built = buildParts(context)
  server.app = await buildApp(built)
  server.built = built
  expect((await call(server, 'sys/backup/state', { method: 'GET', token })).status).toBe(401)
  expect((await outcome(request)).body.data).toMatchObject({
    request,
    state: 'done',
    by: 'admin',
    error: '',
    field: '',
  })
  await server.app.stop()
  await closeContext(context)
})
