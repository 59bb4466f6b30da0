import { gunzipSync } from 'node:zlib'
import { LANGUAGES } from '@tidegate/contract/enums'
import { fieldText } from '@tidegate/contract/errors'
import type { ConfigDelta } from '@tidegate/contract/node/config'
import type { VariableChange, VariableRow } from '@tidegate/contract/operations/tools'
import { VARIABLE_KEYS, VARIABLES, type VariableKey, type VariableValue } from '@tidegate/contract/runtime-variables'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { ADMIN_PASSWORD, adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'
import { createVariableStore } from './index.ts'

const UPDATE = 'sys/cdnsys/auth/update/static/variable'

describe('runtime variables', () => {
  let server: TestServer
  let token: string
  beforeAll(async () => {
    server = await testServer()
    token = await adminToken(server)
  })
  afterAll(() => server.close())
  afterEach(async () => {
    await server.built.context.database.pool.query('DELETE FROM runtime_variable')
    await server.built.variables.load()
  })

  const query = async <T extends object>(text: string, values: unknown[] = []) =>
    (await server.built.context.database.pool.query<T>(text, values)).rows
  const update = (key: string, more: object, as = token, lang = 'en') =>
    call(server, UPDATE, { token: as, body: { key, ...more }, headers: { lang } })
  const set = async (key: VariableKey, value: VariableValue) => {
    const reply = await update(key, { value })
    expect([key, reply.status, reply.body.errors]).toEqual([key, 200, undefined])
    return reply.body.data as VariableRow
  }
  const list = async (as = token) => {
    const { body } = await call(server, 'sys/cdnsys/auth/static/variable/list', { method: 'GET', token: as })
    return body.data as { list: VariableRow[]; mayChange: boolean }
  }
  const rowOf = async (key: VariableKey) => (await list()).list.find((row) => row.key === key) as VariableRow

  it('are listed with type, scope, bounds and words in both languages, each at its default [S7.30]', async () => {
    const { list: all, mayChange } = await list()
    expect(mayChange).toBe(true)
    expect(all.map((row) => row.key)).toEqual(VARIABLE_KEYS)
    for (const row of all) {
      expect(row, row.key).toMatchObject({ value: row.default, set: false, changedTime: '', applied: null })
      for (const lang of LANGUAGES)
        expect([row.key, row.title[lang] !== '' && row.about[lang] !== '']).toEqual([row.key, true])
      if (row.type === 'number') expect([row.key, row.min, row.max]).not.toContain(null)
      if (row.type === 'choice') expect(row.choices, row.key).toContain(row.default)
    }
    expect(new Set(all.map((row) => row.scope))).toEqual(new Set(['control', 'nodes']))
  })

  it('are the super administrator’s to change, sitting there; others with the permission only look [S7.30]', async () => {
    await createAdmin(server, 'looker', ['cdn:tools:variable'])
    const looker = await loginAs(server, 'looker')
    expect((await list(looker)).mayChange).toBe(false)
    expect((await update('control.pollSeconds', { value: 9 }, looker)).body).toMatchObject({
      code: 403,
      error: 'forbidden',
    })
    expect((await rowOf('control.pollSeconds')).value).toBe(5)
  })

  it('tell since when nothing but their default held, which the reconciliation asks of the lines that nodes keep', async () => {
    const { variables, context } = server.built
    const now = context.clock.now()
    const since = (ms: number) => variables.untouchedSince('node.logPercent', new Date(now + ms))
    expect(await since(-60_000)).toBe(true)
    await set('node.logPercent', 50)
    expect([await since(-60_000), await since(60_000)]).toEqual([false, false])
    await update('node.logPercent', { reset: true })
    expect([await since(-60_000), await since(60_000)]).toEqual([false, true])
  })

  it.each<[VariableKey, unknown, Parameters<typeof fieldText>[0], Record<string, number>?]>([
    ['control.pollSeconds', undefined, 'required'],
    ['control.pollSeconds', 'often', 'invalid'],
    ['control.pollSeconds', 2.5, 'invalid'],
    ['control.pollSeconds', 1, 'too_small', { min: 2 }],
    ['node.logPercent', 101, 'too_big', { max: 100 }],
    ['node.logPercent', true, 'invalid'],
    ['control.customersReadOnly', 1, 'invalid'],
    ['control.publicUrl', 'cdn.example.com', 'web_origin'],
    ['control.publicUrl', 'https://cdn.example.com/admin/', 'web_origin'],
    ['control.publicUrl', 7, 'invalid'],
  ])('refuse %s = %s and name the field [S7.30]', async (key, value, fault, params) => {
    for (const lang of LANGUAGES) {
      const reply = await update(key, { value }, token, lang)
      expect(reply.body).toMatchObject({ code: 400, errors: [{ path: 'value', msg: fieldText(fault, lang, params) }] })
    }
    expect((await rowOf(key)).set).toBe(false)
  })

  it('refuse a word that is none of the choices, and a name that no variable has', async () => {
    expect((await update('control.logLevel', { value: 'loud' })).body.errors).toMatchObject([{ path: 'value' }])
    expect((await update('control.everything', { value: 1 })).body.errors).toMatchObject([{ path: 'key' }])
  })

  it('remember each change: audit log with both states, history, who and when; and go back to the default [S7.30]', async () => {
    const changed = await set('control.answerSeconds', 20)
    expect(changed).toMatchObject({ value: 20, default: 10, set: true, changedBy: 'admin' })
    expect(Math.abs(Date.parse(changed.changedTime) - Date.now())).toBeLessThan(60_000)
    await set('control.answerSeconds', 30)
    await set('control.answerSeconds', 30)
    expect((await update('control.answerSeconds', { reset: true })).body.data).toMatchObject({ value: 10, set: false })
    const audited = await query<{ target: string; before: unknown; after: unknown }>(
      "SELECT target, before, after FROM audit_log WHERE action = 'variable.update' AND target LIKE '%answerSeconds' ORDER BY id",
    )
    expect(audited).toEqual([
      { target: 'variable control.answerSeconds', before: { value: 10 }, after: { value: 20 } },
      { target: 'variable control.answerSeconds', before: { value: 20 }, after: { value: 30 } },
      { target: 'variable control.answerSeconds', before: { value: 30 }, after: { value: 10, reset: true } },
    ])
    const { body } = await call(server, 'sys/cdnsys/auth/static/variable/history', {
      token,
      body: { variable: 'control.answerSeconds' },
    })
    const changes = (body.data as { list: VariableChange[] }).list
    expect(changes.map((c) => [c.before, c.after, c.reset, c.by])).toEqual([
      [30, 10, true, 'admin'],
      [20, 30, false, 'admin'],
      [10, 20, false, 'admin'],
    ])
  })

  it('hold in every process of the control plane at once', async () => {
    const { database, bus } = server.built.context
    const other = createVariableStore({ db: database.db, bus, log: createLog('silent', 'test'), defaults: {} })
    const told = new Promise((resolve) => other.onChange('control.pollSeconds', resolve))
    await set('control.pollSeconds', 7)
    expect(await told).toBe(7)
    expect(other.get('control.pollSeconds')).toBe(7)
    other.close()
  })

  it('take the environment’s value for their default where there is one', async () => {
    const own = await testServer({ TIDEGATE_PUBLIC_URL: 'https://cdn.example.com', TIDEGATE_LOG_LEVEL: 'warn' })
    expect(own.built.variables.get('control.publicUrl')).toBe('https://cdn.example.com')
    expect(own.built.variables.get('control.logLevel')).toBe('warn')
    await own.close()
  })

  describe('of the control plane change what it does, without a restart [S7.30]', () => {
    it('control.publicUrl: where passkeys are good, and what is shown to install nodes', async () => {
      const rpOf = async () => {
        const { body } = await call(server, 'app/account/security/passkey', {
          token,
          body: { password: ADMIN_PASSWORD },
        })
        return (body.options as { rp: { id: string } } | undefined)?.rp.id
      }
      expect(await rpOf()).toBe('localhost')
      await set('control.publicUrl', 'https://console.example.com')
      expect(await rpOf()).toBe('console.example.com')
      expect(server.built.variables.get('control.publicUrl')).toBe('https://console.example.com')
    })

    it('control.customersReadOnly: customers look, and change nothing; administrators do', async () => {
      const customer = await createCustomer(server, 'reading-customer')
      const password = () =>
        call(server, '/api/app/account/password', { token: customer.token, body: { password: 'x', newPassword: 'y' } })
      expect((await password()).status).not.toBe(503)
      await set('control.customersReadOnly', true)
      for (const lang of LANGUAGES) {
        const reply = await call(server, '/api/app/account/password', {
          token: customer.token,
          body: { password: ADMIN_PASSWORD, newPassword: 'second-Password2' },
          headers: { lang },
        })
        expect(reply.body).toMatchObject({ code: 503, error: 'customers_read_only' })
      }
      const info = await call(server, '/api/app/user/info', { method: 'GET', token: customer.token })
      expect(info.status).toBe(200)
      const register = await call(server, '/api/app/register/code', {
        body: { channel: 'mail', address: 'a@b.example' },
      })
      expect(register.body).toMatchObject({ error: 'customers_read_only' })
      await set('control.pollSeconds', 8)
      await set('control.customersReadOnly', false)
      expect((await password()).status).not.toBe(503)
    })

    it('control.logLevel: how much is written', async () => {
      const { log } = server.built.context
      await set('control.logLevel', 'error')
      log.info('not to be seen')
      await set('control.logLevel', 'debug')
      log.debug('to be seen')
      expect(server.logged()).not.toContain('not to be seen')
      expect(server.logged()).toContain('to be seen')
    })

    it('control.exportMaxRows: where an export ends, and what the console says of it', async () => {
      await query(`INSERT INTO audit_log (actor_kind, actor_id, actor_name, ip, user_agent, request_id, action, target)
        SELECT 'admin', 1, 'admin', '', '', '', 'walk.many', 'site ' || i FROM generate_series(1, 150) i`)
      const exported = async () => {
        const body = { list: 'audit.list', query: { action: 'walk.many' } }
        const { id } = (await call(server, 'sys/export/start', { token, body })).body
        const jobs = server.built.parts.flatMap((part) => part.jobs ?? [])
        await jobs.find((job) => job.name === 'export.run')?.run({ id })
        return (await call(server, `sys/export/info/${id}`, { method: 'GET', token })).body.data
      }
      expect(await exported()).toMatchObject({ rows: 150, cut: false })
      await set('control.exportMaxRows', 100)
      expect(await exported()).toMatchObject({ rows: 100, cut: true })
      const index = await call(server, 'sys/common/index', { method: 'GET' })
      expect(index.body).toMatchObject({ exportMaxRows: 100 })
    })

    it('control.pollSeconds: how often consoles are told to ask', async () => {
      const asked = async () => (await call(server, 'sys/common/index', { method: 'GET' })).body.pollSeconds
      expect(await asked()).toBe(5)
      await set('control.pollSeconds', 12)
      expect(await asked()).toBe(12)
    })

    it('control.answerSeconds: how long a node is waited for', async () => {
      const [node] = await query<{ id: number }>(
        "INSERT INTO node (name, group_id, enrolled_at, last_seen) VALUES ('mute', 1, now(), now()) RETURNING id",
      )
      await set('control.answerSeconds', 2)
      const body = { nodeId: node?.id, dict: 'tg_hosts' }
      const reply = await call(server, 'sys/cdnsys/admin/tool/redis/data', { token, body, headers: { lang: 'en' } })
      expect(reply.body).toMatchObject({ code: 503, error: 'node_silent' })
      expect(reply.body.msg).toBe('The node mute gave no answer within 2 s')
    })
  })

  it('of nodes go out with the settings of every group, and how many nodes run them is counted [S7.30]', async () => {
    const { publish } = server.built.plane
    await query("INSERT INTO node_group (name, cname_zone) VALUES ('second', 'second.test')")
    const settingsOf = async (scope: string) => {
      await publish.publisher.publishPending()
      const { body } = await publish.deltas.delta(scope, 0)
      const delta = JSON.parse(gunzipSync(body).toString()) as ConfigDelta
      return delta.resources.find(({ kind }) => kind === 'settings')?.body as { tunables?: object }
    }
    const first = await set('node.gzipLevel', 9)
    expect(first.push.map(({ scope }) => scope)).toEqual(['group:1', expect.stringMatching(/^group:\d+$/)])
    await set('node.maxBodyMb', 16)
    for (const { scope } of first.push)
      expect((await settingsOf(scope)).tunables).toEqual({ gzipLevel: 9, maxBodyMb: 16 })
    expect((await rowOf('node.gzipLevel')).applied).toEqual({ nodes: 0, done: 0 })
    const push = (await rowOf('node.maxBodyMb')).push[0]
    await query(
      `WITH n AS (INSERT INTO node (name, group_id, enrolled_at) SELECT 'n' || i, 1, now() FROM generate_series(1, 3) i RETURNING id, name)
       INSERT INTO node_push (node_id, scope, applied, refused_now)
       SELECT id, 'group:1', CASE name WHEN 'n1' THEN $1 - 1 ELSE $1 END, CASE name WHEN 'n3' THEN '["settings group"]'::jsonb ELSE '[]' END FROM n`,
      [push?.revision],
    )
    expect((await rowOf('node.maxBodyMb')).applied).toEqual({ nodes: 3, done: 1 })
    await update('node.gzipLevel', { reset: true })
    await update('node.maxBodyMb', { reset: true })
    expect((await settingsOf('group:1')).tunables).toBeUndefined()
    expect(Object.keys(VARIABLES).filter((key) => key.startsWith('node.'))).toHaveLength(6)
  })
})
