import { FIELD_ERRORS } from '@tidegate/contract/errors'
import { PUSH_INPUT_TYPES, type PushInputResult } from '@tidegate/contract/operations/push'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { selfSigned } from '../../testing/certificates.ts'

describe('pushing what is typed in by number', () => {
  let server: TestServer
  let token: string
  const got = { site: 0, bare: 0, used: 0, unused: 0, node: 0, gone: 0 }
  const post = async (path: string, body: object, lang = 'en') => call(server, path, { token, body, headers: { lang } })
  const push = (type: string, ids: unknown, lang = 'en') => post('sys/cdnsys/auth/pushByInputInfo', { type, ids }, lang)
  const results = async (type: string, ids: number[], lang = 'en') => {
    const reply = await push(type, ids, lang)
    expect([reply.status, reply.body.errors]).toEqual([200, undefined])
    return reply.body.data as PushInputResult[]
  }
  const query = async <T extends object>(text: string, values: unknown[] = []) =>
    (await server.built.context.database.pool.query<T>(text, values)).rows
  /** What the last revision of a scope touches, and whether it is published even where nothing changed. */
  const last = async () =>
    (
      await query<{ touched: string[]; forced: boolean }>(
        'SELECT touched, forced FROM config_revision ORDER BY revision DESC LIMIT 1',
      )
    )[0]

  beforeAll(async () => {
    server = await testServer()
    token = await adminToken(server)
    const save = async (path: string, body: object) => Number((await post(path, body)).body.id)
    got.used = await save('sys/cdn/cert/save', await selfSigned(['used.example']))
    got.unused = await save('sys/cdn/cert/save', await selfSigned(['unused.example']))
    const site = (name: string, settings = {}) => ({
      ...{ domains: [name], originProtocol: 'http', origins: [{ host: 'origin.example' }], settings },
    })
    got.site = await save('sys/cdn/site/save', site('used.example', { certId: got.used }))
    got.bare = await save('sys/cdn/site/save', site('bare.example'))
    const nodes = await query<{ id: number }>(
      `INSERT INTO node (name, group_id, enrolled_at, revoked_at) VALUES ('here', 1, now(), NULL), ('gone', 1, now(), now()) RETURNING id`,
    )
    got.node = Number(nodes[0]?.id)
    got.gone = Number(nodes[1]?.id)
  })
  afterAll(() => server.close())

  it('publishes sites again with their certificates, each told by itself', async () => {
    const said = await results('site', [got.site, got.bare, got.site, 999_999])
    expect(said).toEqual([
      {
        id: got.site,
        name: 'used.example',
        ok: true,
        error: '',
        push: [{ scope: 'group:1', revision: expect.any(Number) }],
      },
      { id: got.bare, name: 'bare.example', ok: true, error: '', push: said[0]?.push },
      { id: 999_999, name: '', ok: false, error: 'What you asked for does not exist', push: [] },
    ])
    expect(await last()).toEqual({
      touched: [`cert ${got.used}`, `site ${got.site}`, `site ${got.bare}`].sort(),
      forced: true,
    })
  })

  it('publishes a certificate again where a site uses it', async () => {
    const [used, unused] = await results('certificate', [got.used, got.unused], 'zh')
    expect(used).toMatchObject({ name: 'used.example', ok: true })
    expect(unused).toMatchObject({ ok: false, error: FIELD_ERRORS.cert_unused.zh, push: [] })
    expect((await last())?.touched).toEqual([`cert ${got.used}`])
  })

  it('publishes to a node what it should run, and nothing to one that is revoked', async () => {
    const [here, gone] = await results('node', [got.node, got.gone])
    expect(here).toMatchObject({ name: 'here', ok: true, push: [{ scope: 'group:1' }] })
    expect(gone).toMatchObject({ name: 'gone', ok: false, error: FIELD_ERRORS.node_absent.en })
    expect((await last())?.touched).toContain('settings group')
  })

  it('makes no revision when nothing was right, and records who asked for what', async () => {
    const before = (await query<{ n: string }>('SELECT count(*) AS n FROM config_revision'))[0]?.n
    expect((await results('site', [999_999]))[0]?.ok).toBe(false)
    expect((await query<{ n: string }>('SELECT count(*) AS n FROM config_revision'))[0]?.n).toBe(before)
    const [row] = await query("SELECT target, after FROM audit_log WHERE action = 'push.byInput' ORDER BY id LIMIT 1")
    expect(row).toEqual({
      target: `site ${got.site}, ${got.bare}, 999999`,
      after: { type: 'site', ids: [got.site, got.bare] },
    })
  })

  it.each([
    ['stream', [1], 'type'],
    ['forwarding', [1], 'type'],
    ['ban', [1], 'type'],
    ['site', [], 'ids'],
    ['site', ['x'], 'ids.0'],
    ['site', [0], 'ids.0'],
  ])('refuses %s %j and names the field', async (type, ids, path) => {
    const { body } = await push(type, ids)
    expect(body).toMatchObject({ code: 400, errors: [{ path }] })
    const [error] = body.errors as { msg: string }[]
    if (path === 'type') for (const one of PUSH_INPUT_TYPES) expect(error?.msg).toContain(one)
  })
})
