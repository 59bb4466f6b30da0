/** The system license over the API: what the page shows, what is accepted and refused, and that nothing leaves the machine. */
import { readFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { LANGUAGES } from '@tidegate/contract/enums'
import { errorText } from '@tidegate/contract/errors'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'
import { createSupplier } from '../../testing/license.ts'
import { VERSION } from '../../version.ts'

const ELSEWHERE = '11111111-2222-4333-8444-555555555555'

describe('the system license', () => {
  const supplier = createSupplier()
  const stranger = createSupplier()
  /** Where this process connected to since the test began. */
  const reached: string[] = []
  const { connect } = Socket.prototype
  const watched = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
    this: Socket,
    ...args: Parameters<typeof connect>
  ) {
    // A pipe has no address.
    this.once('connect', () => reached.push(this.remoteAddress ?? 'pipe'))
    this.once('error', (error: Error) => reached.push(error.message))
    return connect.apply(this, args)
  })
  let server: TestServer
  let token: string

  const query = async (text: string, values: unknown[] = []) =>
    (await server.built.context.database.pool.query(text, values)).rows
  const info = async () => {
    const reply = await call(server, 'sys/license/info', { method: 'GET', token })
    expect(reply.status).toBe(200)
    return reply.body.data as OutputOf<'license.info'>['data']
  }
  const save = (file: string, lang: 'zh' | 'en' = 'en') =>
    call(server, 'sys/license/save', { token, body: { file }, headers: { lang } })
  const day = (offset: number) => new Date(server.clock.now() + offset * 86_400_000).toISOString().slice(0, 10)

  beforeAll(async () => {
    server = await testServer({ TIDEGATE_LICENSE_KEYS: supplier.key })
    token = await adminToken(server)
  })
  beforeEach(() => query('UPDATE system_license SET file = NULL, added_at = NULL'))
  afterAll(async () => {
    await server.close()
    watched.mockRestore()
  })

  it('is the community’s at first: no limit, and the figures are those of the installation [S6.5]', async () => {
    const empty = await info()
    expect(empty).toMatchObject({ state: 'community', license: null })
    for (const of of [empty.nodes, empty.sites, empty.customers])
      expect(of).toEqual({ used: 0, active: 0, limit: null })

    await createCustomer(server, 'first-customer')
    const second = await createCustomer(server, 'second-customer')
    await query('UPDATE customer SET enabled = false WHERE id = $1', [second.id])
    for (const domain of ['one.example', 'two.example']) {
      const body = { domains: [domain], originProtocol: 'http', origins: [{ host: 'origin.example' }] }
      expect((await call(server, 'sys/cdn/site/save', { token, body })).status).toBe(200)
    }
    await call(server, 'sys/cdn/site/enable', { token, body: { ids: [1], enabled: false } })
    await query(
      `INSERT INTO node (name, group_id, enrolled_at, last_seen) VALUES ('n-1', 1, now(), now()), ('n-2', 1, now(), now() - interval '1 day')`,
    )
    const shown = await info()
    expect(shown.customers).toEqual({ used: 2, active: 1, limit: null })
    expect(shown.sites).toEqual({ used: 2, active: 1, limit: null })
    expect(shown.nodes).toEqual({ used: 2, active: 1, limit: null })

    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../../../../package.json'), 'utf8'))
    expect(shown.product).toMatchObject({ version, node: process.version, uptime: expect.any(Number) })
    expect(version).toBe(VERSION)
    const [pg] = await query('SHOW server_version')
    expect(shown.database).toMatchObject({ version: pg.server_version, bytes: expect.any(Number) })
    const disk = server.built.context.disk.state()
    expect(shown.disk).toEqual(disk)
    expect(shown.installation).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      since: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(shown.installation.id).toBe(empty.installation.id)
  })

  it('shows what a supplier signed, with the limits agreed, and switches nothing off beyond them [S6.5]', async () => {
    const { installation } = await info()
    const file = supplier.license({
      contact: 'help@tide.example',
      until: day(9),
      installation: installation.id,
      limits: { sites: 1, nodes: 50 },
    })
    expect((await save(file)).status).toBe(200)
    const shown = await info()
    expect(shown).toMatchObject({
      state: 'valid',
      license: {
        id: 'T-1',
        holder: 'Harbour Ltd',
        supplier: 'Tide Supplies',
        contact: 'help@tide.example',
        issued: '2026-01-05',
        until: day(9),
        daysLeft: 10,
        installation: installation.id,
        addedBy: 'admin',
        addedTime: new Date(server.clock.now()).toISOString(),
      },
      sites: { used: 2, limit: 1 },
      nodes: { used: 2, limit: 50 },
      customers: { limit: null },
    })
    const body = { domains: ['three.example'], originProtocol: 'http', origins: [{ host: 'origin.example' }] }
    expect((await call(server, 'sys/cdn/site/save', { token, body })).status).toBe(200)
  })

  it('tells a good file from one that is over, for another place, or forged, whenever it is looked at [S6.5]', async () => {
    await save(supplier.license({ until: day(1), limits: { nodes: 1 } }))
    expect((await info()).state).toBe('valid')
    server.clock.advance(2 * 86_400)
    token = await adminToken(server)
    const over = await info()
    expect(over).toMatchObject({ state: 'expired', license: { daysLeft: 0 }, nodes: { limit: null } })
    await query('UPDATE system_license SET file = $1', [supplier.license({ installation: ELSEWHERE })])
    expect(await info()).toMatchObject({ state: 'elsewhere', license: { installation: ELSEWHERE } })
    await query('UPDATE system_license SET file = $1', [stranger.license()])
    expect(await info()).toMatchObject({ state: 'forged', license: null })
  })

  it('refuses what is forged, over, for another installation or no license at all, in both languages [S6.5]', async () => {
    const files = [
      ['license_forged', stranger.license(), {}],
      ['license_forged', supplier.license().replace('Harbour', 'Harbor'), {}],
      ['license_expired', supplier.license({ until: day(-1) }), { date: day(-1) }],
      ['license_elsewhere', supplier.license({ installation: ELSEWHERE }), { id: ELSEWHERE }],
      ['license_foreign', 'hello', {}],
    ] as const
    for (const [key, file, params] of files)
      for (const lang of LANGUAGES) {
        const reply = await save(file, lang)
        expect([key, reply.status, reply.body.error]).toEqual([key, 400, key])
        expect(reply.body.msg).toBe(errorText(key, lang, params))
      }
    expect((await info()).state).toBe('community')
    expect((await save('x'.repeat(20_000))).body).toMatchObject({ errors: [{ path: 'file' }] })
  })

  it('is changed by who may, with a trace, and given back', async () => {
    await createAdmin(server, 'looker', ['home:auth'])
    const looker = await loginAs(server, 'looker')
    expect((await call(server, 'sys/license/info', { method: 'GET', token: looker })).status).toBe(200)
    const refused = await call(server, 'sys/license/save', { token: looker, body: { file: supplier.license() } })
    expect(refused.status).toBe(403)

    await save(supplier.license())
    await save(supplier.license({ id: 'T-2' }))
    expect((await call(server, 'sys/license/delete', { token })).status).toBe(200)
    expect((await info()).state).toBe('community')
    expect((await call(server, 'sys/license/delete', { token })).status).toBe(404)
    const rows = await query(
      `SELECT action, target, before->>'id' AS before, after->>'id' AS after FROM audit_log WHERE action LIKE 'license.%' ORDER BY id DESC LIMIT 3`,
    )
    expect(rows).toEqual([
      { action: 'license.delete', target: 'license T-2', before: 'T-2', after: null },
      { action: 'license.save', target: 'license T-2', before: 'T-1', after: 'T-2' },
      { action: 'license.save', target: 'license T-1', before: null, after: 'T-1' },
    ])
  })

  it('has phoned nobody: all that this process reached is on this machine [S6.5]', () => {
    expect(reached.length).toBeGreaterThan(0)
    expect(reached.filter((address) => !/^(127\.|::1$|::ffff:127\.|pipe$)/.test(address))).toEqual([])
  })
})

describe('keys of suppliers', () => {
  it('are checked at the start', async () => {
    await expect(testServer({ TIDEGATE_LICENSE_KEYS: 'nonsense' })).rejects.toThrow(/TIDEGATE_LICENSE_KEYS/)
  })
})
