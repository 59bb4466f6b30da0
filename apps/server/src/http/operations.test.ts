/** Walks every row of the operations table: no login, no permission, bad input in both languages, under every base path. */
import { API_BASES, LANGUAGES } from '@tidegate/contract/enums'
import { errorText, FIELD_ERRORS } from '@tidegate/contract/errors'
import type { Operation } from '@tidegate/contract/operation'
import { operations } from '@tidegate/contract/operations/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CONFIG_PERMISSIONS } from '../modules/settings/index.ts'
import { createAdmin, loginAs } from '../testing/admins.ts'
import { call, type Reply, type TestServer, testServer } from '../testing/app.ts'
import { createCustomer } from '../testing/customers.ts'

/** No operation's parameter takes it. */
const WRONG = { unfit: true }

interface BadCall {
  path: string
  body: Record<string, unknown>
  query: string
  field: string
}

const properties = (op: Operation) => {
  const schema = z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return { names: Object.keys(schema.properties ?? {}), required: schema.required ?? [] }
}

/** A request with one field that is wrong; null when the operation takes no field. */
const badCall = (op: Operation): BadCall | null => {
  const { names, required } = properties(op)
  const field = required[0] ?? names[0]
  if (field === undefined) return null
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => (name === field ? 'x%20y' : '1'))
  const inPath = op.path.includes(`{${field}}`)
  return {
    path,
    field,
    body: inPath ? {} : { [field]: WRONG },
    query: op.method === 'GET' && !inPath ? `?${field}=${encodeURIComponent('~ wrong ~')}` : '',
  }
}

const goodPath = (op: Operation) => op.path.replace(/\{\w+\}/g, '1')
const paths = (op: Operation) => [op.path, ...(op.aliases ?? [])].map((path) => path.replace(/\{\w+\}/g, '1'))
const methods = (op: Operation) => [op.method, ...(op.alsoMethods ?? [])]

const expectEnvelope = (reply: Reply, status: number, error: string) => {
  expect(reply.body).toMatchObject({ code: status, error })
  expect(reply.status).toBe(status)
  expect(reply.body.requestId).toMatch(/^[0-9a-f]{32}$/)
  expect(reply.headers['x-request-id']).toBe(reply.body.requestId)
}

describe('every operation', () => {
  let server: TestServer
  /** Logins with every right, by audience. */
  const all = { admin: '', user: '', monitor: '' }
  /** Logins that lack one permission only: `admin cdn:site:list`. */
  const without = new Map<string, string>()
  const named = (except: 'admin' | 'user') =>
    [...new Set(operations.filter((op) => op.audience !== except).map((op) => op.permission))].flatMap((p) =>
      p === null || p === 'login' ? [] : [p],
    )
  const permissions = named('user')
  const customerPermissions = named('admin')
  const audiences = (op: Operation) =>
    op.audience === 'any'
      ? (['admin', 'user'] as const)
      : [op.audience === 'user' ? ('user' as const) : ('admin' as const)]
  const tokenFor = (op: Operation) => (op.audience === 'monitor' ? all.monitor : all[audiences(op)[0]!])

  beforeAll(async () => {
    server = await testServer()
    await createAdmin(server, 'everything', permissions)
    all.admin = await loginAs(server, 'everything')
    all.user = (await createCustomer(server, 'everybody')).token
    const shown = await call(server, 'sys/cdnsys/auth/check/key/show', { method: 'GET', token: all.admin })
    all.monitor = String(shown.body.token)
    const { rows } = await server.built.context.database.pool.query<{ value: string; url: string }>(
      'SELECT p.value, m.url FROM customer_permission p JOIN menu m ON m.id = p.menu_id',
    )
    // A customer holds everything that no screen taken away takes along.
    for (const [i, { value, url }] of rows.entries())
      without.set(`user ${value}`, (await createCustomer(server, `without-${i}`, { unvalidModel: [url] })).token)
    // For each permission an account that has every other one.
    for (const [i, permission] of permissions.entries()) {
      const name = `without-${i}`
      await createAdmin(
        server,
        name,
        permissions.filter((p) => p !== permission),
      )
      without.set(`admin ${permission}`, await loginAs(server, name))
    }
  })
  afterAll(() => server.close())

  const guarded = operations.filter((op) => op.audience !== 'public')

  it.each(guarded.map((op) => [op.id, op] as const))('%s refuses who is not logged in', async (_id, op) => {
    for (const base of API_BASES)
      for (const path of paths(op))
        for (const method of methods(op))
          for (const token of [undefined, 'x', 'A'.repeat(43)])
            expectEnvelope(await call(server, base + path, { method, token }), 401, 'unauthenticated')
  })

  it.each(
    guarded.filter((op) => op.permission !== 'login' && op.audience !== 'monitor').map((op) => [op.id, op] as const),
  )('%s refuses who lacks just its permission [S6.1]', async (_id, op) => {
    for (const audience of audiences(op)) {
      const token = without.get(`${audience} ${op.permission}`)
      expect([audience, token]).toEqual([audience, expect.any(String)])
      for (const base of API_BASES)
        for (const path of paths(op))
          for (const method of methods(op))
            expectEnvelope(await call(server, base + path, { method, token }), 403, 'forbidden')
    }
  })

  it.each(guarded.filter((op) => op.audience !== 'any').map((op) => [op.id, op] as const))(
    '%s refuses the other audience, whatever it may do there [S6.1]',
    async (_id, op) => {
      const token = op.audience === 'admin' ? all.user : all.admin
      for (const base of API_BASES)
        expectEnvelope(await call(server, base + goodPath(op), { method: op.method, token }), 403, 'forbidden')
    },
  )

  const withFields = operations.flatMap((op) => {
    const bad = badCall(op)
    return bad ? [[op.id, op, bad] as const] : []
  })
  it.each(withFields)('%s names the field that is wrong, in the caller’s language', async (_id, op, bad) => {
    for (const lang of LANGUAGES) {
      const reply = await call(server, bad.path + bad.query, {
        method: op.method,
        token: tokenFor(op),
        headers: { lang },
        body: bad.body,
      })
      expectEnvelope(reply, 400, 'invalid_input')
      expect(reply.body.msg).toBe(errorText('invalid_input', lang))
      const errors = reply.body.errors as { path: string; msg: string }[]
      const found = errors.filter((e) => e.path === bad.field || e.path.startsWith(`${bad.field}.`))
      expect(found.length).toBeGreaterThan(0)
      const texts = Object.values(FIELD_ERRORS).map((t) => t[lang].replace(/\{.*$/, ''))
      for (const { msg } of errors) expect(texts.some((t) => msg.startsWith(t))).toBe(true)
    }
  })

  it('takes no fields without saying so: those that take none ignore what is sent', async () => {
    const bare = operations.filter((op) => badCall(op) === null && op.effect === 'read' && op.kind === 'json')
    for (const op of bare) {
      const reply = await call(server, goodPath(op), { method: op.method, token: tokenFor(op), body: { extra: WRONG } })
      expect([op.id, reply.status]).not.toEqual([op.id, 400])
    }
  })

  const lists = operations.filter((op) => properties(op).names.includes('sidx'))
  it.each(lists.map((op) => [op.id, op] as const))(
    '%s sorts and searches by any text without falling over',
    async (_id, op) => {
      const required = Object.fromEntries(properties(op).required.map((name) => [name, 1]))
      const texts = [
        'constructor',
        '__proto__',
        'toString',
        'id; DROP TABLE node',
        "' OR 1=1 --",
        '%',
        '_',
        '\\',
        '"',
        '$1',
        '🜁',
      ]
      for (const text of texts)
        for (const fields of [
          { sidx: text },
          { key: text },
          { sidx: 'id', order: 'asc', key: text, page: 9_007_199_254_740_991 },
        ]) {
          const reply = await call(server, goodPath(op), { token: tokenFor(op), body: { ...required, ...fields } })
          expect([text, Object.keys(fields), reply.status]).toEqual([text, Object.keys(fields), 200])
        }
    },
  )

  it('names a permission that exists, and every permission belongs to a screen [S6.1]', async () => {
    const { rows } = await server.built.context.database.pool.query<{ value: string }>(
      'SELECT value FROM permission ORDER BY value',
    )
    // Those of config records are asked for record by record: see the settings' own tests.
    expect(rows.map((row) => row.value)).toEqual([...new Set([...permissions, ...CONFIG_PERMISSIONS])].sort())
    const customers = await server.built.context.database.pool.query<{ value: string }>(
      'SELECT value FROM customer_permission ORDER BY value',
    )
    expect(customers.rows.map((row) => row.value)).toEqual([...customerPermissions].sort())
  })
})

describe('what has no row', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer()
  })
  afterAll(() => server.close())

  it('is answered with an envelope in the caller’s language', async () => {
    for (const path of ['sys/nothing', '/api/', '/nothing', '/antsxdp/sys/login/', '/antsxdp/SYS/login', '/dns-admin/'])
      for (const lang of LANGUAGES) {
        const reply = await call(server, path, { method: 'GET', headers: { lang } })
        expectEnvelope(reply, 404, 'operation_unknown')
        expect(reply.body.msg).toBe(errorText('operation_unknown', lang))
      }
  })

  it('is told apart from a call that is there and takes another method', async () => {
    for (const lang of LANGUAGES) {
      const reply = await call(server, 'sys/login', { method: 'GET', headers: { lang } })
      expectEnvelope(reply, 405, 'method_not_allowed')
      expect(reply.body.msg).toBe(errorText('method_not_allowed', lang))
      expect(reply.headers.allow).toBe('POST')
    }
  })
})
