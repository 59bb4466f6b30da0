/** Lookups from a node, by the API. */
import type { QuestionFault } from '@tidegate/contract/node/questions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'

const DUG = {
  ...{ server: '192.0.2.53:53', ms: 3, fault: null, status: 'NOERROR', tcp: false, authoritative: false },
  ...{ authenticated: false, answers: [{ name: 'a.example.', type: 'A', ttl: 5, data: '192.0.2.1' }], authority: [] },
}
const PROBED = {
  ...{ fault: 'refused', code: 'ECONNREFUSED', address: '192.0.2.1', port: 443, status: 0, reason: '', headers: [] },
  ...{
    tls: null,
    times: { lookup: 1, connect: null, tls: null, first: null, total: 5 },
    bytes: 0,
    cut: false,
    text: '',
  },
}
const DIG = 'sys/cdnsys/admin/tool/dns/dig'
const PROBE = 'sys/cdnsys/admin/tool/http/probe'

describe('lookups from a node', () => {
  let server: TestServer
  let token: string
  let nodeId: number
  beforeAll(async () => {
    server = await testServer({ TIDEGATE_LOGIN_CAPTCHA: 'off' })
    token = await adminToken(server)
    const { rows } = await server.built.context.database.pool.query<{ id: string }>(
      `INSERT INTO node (name, group_id, enrolled_at, last_seen) VALUES ('far', 1, now(), now()) RETURNING id`,
    )
    nodeId = Number(rows[0]?.id)
  })
  afterAll(() => server.close())

  /** The node answers the next question so; resolves with what it was asked. */
  const answering = (answer: unknown, fault: QuestionFault | null = null) =>
    new Promise<{ kind: string; input: unknown }>((resolve) => {
      const { questions } = server.built.plane.node
      const off = questions.onAsked(async (id, question) => {
        off()
        const asked = await questions.read(id, question)
        await questions.answered(id, { id: question, answer, fault, detail: '10.0.0.1' })
        if (asked !== null) resolve(asked)
      })
    })
  const ask = (path: string, body: object, lang = 'en') => call(server, path, { token, body, headers: { lang } })

  it('are put to the node as they are understood, and its answer is given back', async () => {
    const asked = answering(DUG)
    const reply = await ask(DIG, { nodeId, name: '192.0.2.1', type: 'PTR', server: ' 192.0.2.53 ' })
    expect(reply.body.data).toEqual(DUG)
    expect(await asked).toMatchObject({
      kind: 'dig',
      input: { name: '1.2.0.192.in-addr.arpa', type: 'PTR', server: '192.0.2.53' },
    })
    const sent = answering(PROBED)
    expect((await ask(PROBE, { nodeId, url: 'https://Shop.example/x?token=abc' })).body.data).toEqual(PROBED)
    expect(await sent).toMatchObject({
      kind: 'probe',
      input: { url: 'https://shop.example/x?token=abc', method: 'GET', way: 'net' },
    })
  })

  it('leave who asked what in the log, but for what may be a secret', async () => {
    const { rows } = await server.built.context.database.pool.query<{ action: string; after: object }>(
      `SELECT action, after FROM audit_log WHERE action IN ('tools.dig', 'tools.probe') ORDER BY id`,
    )
    expect(rows).toEqual([
      { action: 'tools.dig', after: { name: '1.2.0.192.in-addr.arpa', type: 'PTR', server: '192.0.2.53' } },
      { action: 'tools.probe', after: { url: 'https://shop.example/x', method: 'GET', way: 'net' } },
    ])
  })

  it.each([
    ['en', DIG, { name: 'a b', type: 'A' }, 'name', 'domain format error'],
    ['zh', DIG, { name: 'a.example', type: 'A', server: 'ns.example' }, 'server', 'IP 格式错误'],
    ['zh', PROBE, { url: 'shop.example' }, 'url', '必须以 http:// 或 https:// 开头'],
    ['en', PROBE, { url: '' }, 'url', 'is required'],
    ['en', PROBE, { url: 'http://a.example/', nodeId: 999 }, 'nodeId', 'is not in the right form'],
  ])('say at the field what is wrong (%s, %s, %j)', async (lang, path, body, field, msg) => {
    const reply = await ask(path, { nodeId, ...body }, lang)
    expect([reply.status, reply.body.errors]).toEqual([400, [{ path: field, msg }]])
  })

  it.each([
    [DIG, { name: 'a.example', server: '10.0.0.1' }, 'server'],
    [PROBE, { url: 'http://10.0.0.1/' }, 'url'],
  ])('say at the field that a node does not go to a private address (%s)', async (path, body, field) => {
    void answering(null, 'private')
    const reply = await ask(path, { nodeId, ...body })
    expect(reply.body.errors).toEqual([{ path: field, msg: 'private and loopback addresses are not allowed' }])
  })
})
