/** One session through every operation that succeeds: what each write leaves in the audit log, and what no answer, log or trace may hold. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Operation } from '@tidegate/contract/operation'
import { type OperationId, operationById, operations } from '@tidegate/contract/operations/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, call, callForm, type Reply, type TestServer, testServer } from '../testing/app.ts'
import { knownCaptcha } from '../testing/captcha.ts'
import { selfSigned } from '../testing/certificates.ts'
import { knownCodes } from '../testing/codes.ts'
import { createCustomer } from '../testing/customers.ts'
import { createSupplier } from '../testing/license.ts'
import { startWechatPeer, type WechatPeer } from '../testing/wechat-peer.ts'
import { STEPS } from './walk/steps/index.ts'
import { type Body, PASSWORDS, type Step, type Walk, WECHAT_APP } from './walk/walk.ts'

/** Answers lines for as long as its push is pending; its test is the listening server's. */
const STREAMS = ['push.watch']
const IP = '198.51.100.7'

describe('a walk through all operations', () => {
  let server: TestServer
  let wechat: WechatPeer
  let dir: string
  let pair: { certPem: string; keyPem: string }
  const got: Record<string, number> = {}
  const supplier = createSupplier()
  const elsewhere = createServer((_request, response) => response.end('{}'))
  const replies: { id: OperationId; reply: Reply; rows: Trace[] }[] = []
  /** Texts that may stand only in the answer of the operation named beside them. */
  const secrets: [text: string, allowedIn: OperationId | null][] = []
  const tokens = { admin: '', user: '', monitor: '' }

  interface Trace {
    action: string
    actor_kind: string
    actor_name: string
    ip: string
    user_agent: string
    request_id: string
    target: string
    created_at: Date
    before: unknown
    after: unknown
  }

  const walk: Walk = {
    server: () => server,
    got,
    keepId: (name) => (reply) => {
      got[name] = Number(reply.body.id)
    },
    secret: (text, allowedIn) => void secrets.push([text, allowedIn]),
    setToken: (text) => {
      tokens.admin = text
    },
    setCustomerToken: (text) => {
      tokens.user = text
    },
    setMonitorToken: (text) => {
      tokens.monitor = text
    },
    elsewhere: () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`,
    license: () => supplier.license(),
    wechat: () => wechat,
    pair: () => pair,
  }
  const steps: Step[] = STEPS.flatMap((of) => of(walk))

  const run = (op: Operation, as: keyof typeof tokens, input: Body, file?: Uint8Array) => {
    const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => String(input[name]))
    const query = op.method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
    const options = { method: op.method, token: tokens[as] || undefined, ip: IP, headers: { 'user-agent': 'walker/1' } }
    if (file) return callForm(server, path, input, file, options)
    return call(server, path + query, { ...options, ...(op.method === 'POST' && { body: input }) })
  }
  const traces = async () => {
    const { rows } = await server.built.context.database.pool.query<Trace & { id: number }>(
      'SELECT * FROM audit_log ORDER BY id',
    )
    return rows
  }

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tg-walk-'))
    await writeFile(join(dir, 'install.sh'), 'echo\n')
    wechat = await startWechatPeer({ ...WECHAT_APP, domain: 'localhost' })
    const replaced = { codes: knownCodes(), generateCaptcha: knownCaptcha, peers: { wechat: wechat.roots } }
    server = await testServer({ TIDEGATE_NODE_FILES: dir, TIDEGATE_LICENSE_KEYS: supplier.key }, replaced)
    await server.built.context.database.pool.query(
      `INSERT INTO setting (key, value) VALUES ('register', '{"byMail": true}')`,
    )
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
    pair = await selfSigned(['walk.example'])
    tokens.user = (await createCustomer(server, 'walking-customer')).token
    for (const step of steps) {
      const before = (await traces()).length
      const reply = await run(operationById(step.id), step.as ?? 'admin', (await step.input?.()) ?? {}, step.file?.())
      expect([step.id, reply.status, reply.body.errors]).toEqual([step.id, 200, undefined])
      await step.keep?.(reply)
      replies.push({ id: step.id, reply, rows: (await traces()).slice(before) })
    }
    // Every operation of the product, on a machine that may be busy with other things.
  }, 300_000)
  afterAll(async () => {
    await server.close()
    await wechat.close()
    elsewhere.close()
    await rm(dir, { recursive: true })
  })

  it('leaves out no row of the table', () => {
    const walked = new Set<string>([...steps.map((s) => s.id), ...STREAMS])
    expect(operations.map((op) => op.id).filter((id) => !walked.has(id))).toEqual([])
  })

  it('finds each write, and no read, in the audit log: who, when, from where, before and after [N13]', () => {
    for (const [i, step] of steps.entries()) {
      const { reply, rows } = replies[i]!
      const isWrite = operationById(step.id).effect === 'write'
      expect([step.id, rows.map((r) => r.action)]).toEqual([step.id, isWrite ? [step.id] : []])
      const row = rows[0]
      if (!row) continue
      expect([step.id, row]).toMatchObject([
        step.id,
        {
          actor_kind: step.actor?.kind ?? step.as ?? 'admin',
          actor_name: step.actor?.name ?? (step.as === 'user' ? 'walking-customer' : 'admin'),
          ip: IP,
          user_agent: 'walker/1',
          request_id: reply.headers['x-request-id'],
        },
      ])
      expect(row.target, step.id).not.toBe('')
      expect(Math.abs(row.created_at.getTime() - Date.now()), step.id).toBeLessThan(120_000)
      const held = [row.before !== null && 'before', row.after !== null && 'after'].filter(Boolean)
      const wanted = { none: [], before: ['before'], after: ['after'], both: ['before', 'after'] }[step.trace ?? 'none']
      expect([step.id, held]).toEqual([step.id, wanted])
      if (step.trace === 'both') expect(row.before, step.id).not.toEqual(row.after)
    }
  })

  it('cannot rewrite what it left', async () => {
    const { pool } = server.built.context.database
    for (const text of ["UPDATE audit_log SET ip = ''", 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
      await expect(pool.query(text)).rejects.toThrow(/permission denied|append-only/)
  })

  it('meets no secret in an answer, in the log or in the audit log, but for the two that are given once', async () => {
    const { pool } = server.built.context.database
    const { rows } = await pool.query<{ text: string }>(
      `SELECT password_hash AS text FROM admin UNION ALL SELECT encode(token_hash, 'hex') FROM session
       UNION ALL SELECT encode(token_hash, 'base64') FROM session UNION ALL SELECT hash FROM enroll_token`,
    )
    const body = pair.keyPem.split('\n')[1] ?? ''
    expect(body.length).toBeGreaterThan(40)
    const never = [
      ADMIN_PASSWORD,
      PASSWORDS.second,
      PASSWORDS.third,
      body,
      'PRIVATE KEY',
      '$argon2',
      ...rows.map((r) => r.text),
      ...secrets.flatMap(([text]) => [
        createHash('sha256').update(text).digest('hex'),
        createHash('sha256').update(text).digest('base64'),
      ]),
    ]
    const master = server.built.context.secrets.derive('seal')
    never.push(master.toString('hex'), master.toString('base64url'))
    const sealed = /v1\.[0-9a-f]{8}\.[\w-]{20}/
    const audited = JSON.stringify(await traces())
    for (const [where, text] of [
      ...replies.map(({ id, reply }) => [id, JSON.stringify([reply.body, reply.headers])] as const),
      ['log', server.logged()] as const,
      ['audit', audited] as const,
    ]) {
      for (const secret of never) expect(text.includes(secret), `${where}: ${secret}`).toBe(false)
      expect(text, where).not.toMatch(sealed)
      for (const [secret, allowed] of secrets)
        if (where !== allowed) expect(text.includes(secret), `${where}: a token`).toBe(false)
    }
  })

  it('finds the calls about pushes under the specification’s own paths, with its names [S7.17 S7.24]', async () => {
    const login = await call(server, 'sys/login', { body: { username: 'admin', password: PASSWORDS.second } })
    const own = String(login.body.token)
    const saved = await call(server, 'sys/cdn/site/save', {
      token: own,
      body: {
        domains: ['walk.example'],
        originProtocol: 'http',
        origins: [{ host: 'origin.example' }],
      },
    })
    const { scope, revision } = saved.body.push as { scope: string; revision: number }
    for (const base of ['/antsxdp/', '/ants-dns-api/', '/api/']) {
      const ask = async (method: 'GET' | 'POST', path: string, body: Body = {}) => {
        const reply = await call(server, `${base}sys/cdnsys/auth/${path}`, { method, token: own, body })
        expect([base, path, reply.body.code]).toEqual([base, path, 1])
        return reply.body
      }
      const waiting = await ask('POST', 'pushTaskStatus', { type: 1 })
      expect(waiting).toMatchObject({ task_size: expect.any(Number), refused_size: expect.any(Number) })
      expect(await ask('GET', 'pushTaskStatus?type=1')).toEqual(waiting)
      const detail = (await ask('GET', `push/feedbacks/detail?scope=${scope}&revision=${revision}`)) as { data: Body }
      expect(detail.data).toMatchObject({ scope, revision, subject: 'walk.example', reason: 'site', feedback: [] })
      const one = await ask('GET', `pushSiteConfToNode?id=${saved.body.id}`)
      const all = await ask('GET', 'pushDataToNode')
      for (const push of [one.push, all.push])
        expect(push).toEqual([{ scope: 'group:1', revision: expect.any(Number) }])
      expect(await ask('GET', 'runTask')).toMatchObject({ task_size: expect.any(Number) })
    }
    const wrong = await call(server, 'sys/cdnsys/auth/pushTaskStatus', { token: own, body: { type: 2 } })
    expect(wrong.body).toMatchObject({ code: 400, errors: [{ path: 'type' }] })
  })

  it('answers code 1 under each base path and sets no cookie, whatever was asked; errors carry their status, never 0 [S7.1]', async () => {
    for (const { id, reply } of replies) {
      expect(reply.headers, id).not.toHaveProperty('set-cookie')
      if (operationById(id).kind === 'json') expect([id, reply.body.code]).toEqual([id, 1])
    }
    for (const base of ['/antsxdp/', '/ants-dns-api/', '/api/']) {
      const { body } = await call(server, `${base}sys/login`, {
        body: { username: 'admin', password: PASSWORDS.second },
      })
      expect(body.code).toBe(1)
      const own = String(body.token)
      const info = (headers: Record<string, string>) => call(server, `${base}sys/user/info`, { method: 'GET', headers })
      expect((await info({ token: own })).body).toMatchObject({ code: 1, user: { username: 'admin' } })
      const others: Record<string, string>[] = [
        { cookie: `token=${own}` },
        { authorization: `Bearer ${own}` },
        { token: '' },
      ]
      for (const headers of others) expect(await info(headers)).toMatchObject({ status: 401, body: { code: 401 } })
      const wrong = await call(server, `${base}sys/login`, { body: { username: 1 } })
      expect(wrong).toMatchObject({ status: 400, body: { code: 400 } })
      expect(wrong.headers).not.toHaveProperty('set-cookie')
    }
  })
})
