/** Notices of certificates that come to their end: to whom, when, and how often. */
import { NOTIFY_CHANNELS } from '@tidegate/contract/config/notify'
import { siteSettings } from '@tidegate/contract/operations/site'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/customers.ts'
import { saveConfig } from '../../testing/settings.ts'
import { type SmtpPeer, startSmtpPeer } from '../../testing/smtp-peer.ts'
import { listOf, thresholdOf } from './expiry.ts'

const DAY = 86_400_000

describe('the nearest threshold of a certificate', () => {
  const DAYS = [30, 14, 7, 3, 1]
  it.each([
    [31, null],
    [30.001, null],
    [30, 30],
    [14.5, 30],
    [14, 14],
    [6.9, 7],
    [2, 3],
    [1, 1],
    [0.001, 1],
    [0, 0],
    [-400, 0],
  ])('with %f days left is %s', (left, threshold) => {
    expect(thresholdOf(left * DAY, DAYS)).toBe(threshold)
    expect(thresholdOf(left * DAY, [...DAYS].reverse())).toBe(threshold)
  })

  it('and lists of certificates keep to the room of a variable', () => {
    const many = Array.from({ length: 300 }, (_, i) => `name-${i}.example (2026-12-31)`)
    expect(listOf(many.slice(0, 2))).toBe(many.slice(0, 2).join('; '))
    expect(listOf(many).length).toBeLessThan(500)
    expect(listOf(many)).toMatch(/; … \+\d+$/)
    expect(listOf(['x'.repeat(900)]).length).toBeLessThan(500)
  })
})

describe('certificates that come to their end', () => {
  let server: TestServer
  let smtp: SmtpPeer
  let token: string
  let alice: TestCustomer
  let bob: TestCustomer
  beforeAll(async () => {
    smtp = await startSmtpPeer()
    const env = { TIDEGATE_PUBLIC_URL: 'https://cdn.example.com' }
    server = await testServer(env, { peers: { mail: { ca: [smtp.certificate] } } })
    token = await adminToken(server)
    const { host, port } = smtp
    const login = { username: 'sender@example.com', password: 'right-Password' }
    await saveConfig(server, 'mail_config', { host, port, tls: 'implicit', ...login })
    await call(server, 'sys/notify/channel/save', { token, body: { mail: { to: 'staff@example.net' } } })
    alice = await createCustomer(server, 'alice')
    bob = await createCustomer(server, 'bob')
    await query(
      "UPDATE customer SET email = username || '@example.net', mobile = '1380000000' || (id % 10), lang = 'en'",
    )
    await query("UPDATE customer SET lang = 'zh' WHERE id = $1", [bob.id])
  })
  afterAll(async () => {
    await server.close()
    await smtp.close()
  })
  beforeEach(async () => {
    await query('DELETE FROM site')
    await query('DELETE FROM cert')
    await query('DELETE FROM notice')
    await query('DELETE FROM message')
    await query('DELETE FROM notice_preference')
  })

  const query = async <T>(text: string, values: unknown[] = []) =>
    (await server.built.context.database.pool.query(text, values)).rows as T[]
  const at = (days: number) => new Date(server.clock.now() + days * DAY).toISOString()
  /** In the installation's time zone. */
  const dayIn = (days: number) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short' }).format(new Date(at(days)))
  const addCert = async (names: string[], days: number, owner: number | null = null) => {
    const [made] = await query<{ id: number }>(
      `INSERT INTO cert (user_id, names, issuer, fingerprint, not_after, cert_pem, key_sealed)
       VALUES ($1, $2, 'i', 'f', $3, '', '') RETURNING id`,
      [owner, names, at(days)],
    )
    return Number(made?.id)
  }
  let slug = 0
  const addSite = async (certId: number, owner: number | null, enabled = true) => {
    slug += 1
    const [made] = await query<{ id: number }>(
      `INSERT INTO site (user_id, group_id, slug, domains, origin_protocol, origins, settings, cert_id, enabled)
       VALUES ($1, 1, $2, ARRAY['x.example'], 'http', '[]', $3, $4, $5) RETURNING id`,
      [owner, `slug-${slug}`, JSON.stringify(siteSettings.parse({ certId })), certId, enabled],
    )
    return Number(made?.id)
  }
  const kind = () => {
    const found = server.built.parts.flatMap((part) => part.tasks ?? []).find((one) => one.kind === 'cert.expiry')
    if (!found) throw new Error('no such task')
    return found
  }
  const run = (params: object = {}) => {
    const context = { signal: new AbortController().signal, say: () => {}, progress: () => {} }
    return kind().run(kind().params.parse(params), context)
  }
  interface Made {
    event: string
    channel: string
    address: string
    vars: Record<string, string>
  }
  /** What was made since the last look. */
  const made = async () => {
    const found = await query<Made>('SELECT event, channel, address, vars FROM notice ORDER BY id')
    await query('DELETE FROM notice')
    return found
  }
  const short = (found: Made[]) => found.map((one) => `${one.event} ${one.channel} ${one.address}`)
  const mails = async () => short(await made()).filter((one) => one.includes(' mail '))

  it('are told to the owners of the sites that use them and to the staff, each in the own language with the way to the site', async () => {
    const cert = await addCert(['a.example', '*.a.example'], 6.5, alice.id)
    const site = await addSite(cert, alice.id)
    const over = await addCert(['b.example', 'b1.example', 'b2.example', 'b3.example'], -2)
    await addSite(over, bob.id)
    await addSite(over, bob.id)
    expect(await run()).toEqual({ customers: 2, staff: 2 })

    await server.built.notify.pump.drain()
    const mail = await smtp.next('alice@example.net')
    const day = dayIn(6.5)
    expect(mail.subject).toBe(`Certificate a.example expires on ${day}`)
    expect(mail.text).toContain(`(days left for the first: 6): a.example, *.a.example (${day})`)
    expect(mail.text).toContain(`https://cdn.example.com/#/cdn/site/list/detail?id=${site}&tab=https`)
    const chinese = await smtp.next('bob@example.net')
    expect(chinese.subject).toBe(`证书 b.example 已于 ${dayIn(-2)} 过期`)
    expect(chinese.text).toContain('https://cdn.example.com/#/cdn/site/list?certDays=1')
    const report = await smtp.next('staff@example.net')
    expect(report.text).toMatch(
      /b\.example, b1\.example, b2\.example, \+1 \([\d-]+\); a\.example, \*\.a\.example \([\d-]+\)/,
    )
    expect(report.text).toContain('https://cdn.example.com/admin/#/cdn/site/list?certDays=7')

    expect(short(await made())).toEqual([
      ...['message', 'mail'].map((c) => `cert_expire ${c} ${c === 'mail' ? 'alice@example.net' : alice.id}`),
      ...['message', 'mail'].map((c) => `cert_expired ${c} ${c === 'mail' ? 'bob@example.net' : bob.id}`),
      'cert_report mail staff@example.net',
    ])
    const list = await call(server, 'app/common/notice/list', { token: alice.token })
    expect(JSON.stringify(list.body)).toContain(`/cdn/site/list/detail?id=${site}&tab=https`)
  })

  it('are told once for each threshold, whoever runs it how often; after missed days the nearest one alone', async () => {
    const cert = await addCert(['a.example'], 40)
    await addSite(cert, alice.id)
    const after = async (days: number) => {
      server.clock.advance(days * 86_400)
      await Promise.all([run(), run(), run()])
      await run()
      const found = await made()
      return found.filter((one) => one.channel === 'mail').map((one) => [one.event, one.vars.days ?? one.vars.count])
    }
    const both = (event: string, days: string) => [
      [event, days],
      ['cert_report', '1'],
    ]
    const start = server.clock.now()
    expect(await after(9)).toEqual([])
    expect((await after(1)).sort()).toEqual(both('cert_expire', '30'))
    expect(await after(1)).toEqual([])
    // From 29 days to 6: neither 14 nor 7 days are told beside.
    expect((await after(23)).sort()).toEqual(both('cert_expire', '6'))
    expect((await after(3)).sort()).toEqual(both('cert_expire', '3'))
    expect((await after(2)).sort()).toEqual(both('cert_expire', '1'))
    const ended = await after(2)
    expect(ended.map(([event]) => event).sort()).toEqual(['cert_expired', 'cert_report'])
    expect(await after(100)).toEqual([])
    // A renewal starts anew.
    await query('UPDATE cert SET not_after = $2 WHERE id = $1', [cert, at(13)])
    expect((await after(0)).sort()).toEqual(both('cert_expire', '13'))
    expect(await after(0)).toEqual([])
    expect(await query('SELECT recipient, days FROM cert_notice ORDER BY recipient')).toEqual([
      { recipient: 0, days: 14 },
      { recipient: alice.id, days: 14 },
    ])
    server.clock.advance((start - server.clock.now()) / 1000)
  })

  it('are told on the days that the task names', async () => {
    const cert = await addCert(['a.example'], 50)
    await addSite(cert, null)
    expect(await run({ days: [45] })).toEqual({ customers: 0, staff: 0 })
    expect(await run({ days: [10, 60] })).toEqual({ customers: 0, staff: 1 })
    expect(kind().params.parse({})).toEqual({ days: [30, 14, 7, 3, 1] })
    for (const days of [[], [0], [366], ['x'], [1.5]]) expect(kind().params.safeParse({ days }).success).toBe(false)
  })

  it('are not told of while no enabled site of an enabled account uses them', async () => {
    const idle = await addCert(['idle.example'], 2, alice.id)
    await addSite(idle, alice.id, false)
    await addCert(['unused.example'], 2, alice.id)
    expect(await run()).toEqual({ customers: 0, staff: 0 })
    await query('UPDATE site SET enabled = true')
    await query('UPDATE customer SET enabled = false WHERE id = $1', [alice.id])
    expect(await run()).toEqual({ customers: 0, staff: 1 })
    await query('UPDATE customer SET enabled = true')
    // The account that is back is told, the staff not again.
    expect(await run()).toEqual({ customers: 1, staff: 0 })
  })

  it('are told to each owner whose sites use one certificate, also to who begins to use it later', async () => {
    const cert = await addCert(['shared.example'], 5)
    await addSite(cert, alice.id)
    await run()
    await addSite(cert, bob.id)
    await made()
    await run()
    expect(await mails()).toEqual(['cert_expire mail bob@example.net'])
  })

  it('of many make one notice for what ends and one for what has ended', async () => {
    for (let i = 0; i < 40; i++) await addSite(await addCert([`n${i}.example`], i < 3 ? -1 : 5), alice.id)
    expect(await run()).toEqual({ customers: 2, staff: 40 })
    const found = (await made()).filter((one) => one.channel === 'mail')
    expect(short(found)).toEqual([
      'cert_expired mail alice@example.net',
      'cert_expire mail alice@example.net',
      'cert_report mail staff@example.net',
    ])
    expect(found.map((one) => one.vars.certificate ?? one.vars.count)).toEqual([
      'n0.example (+2)',
      'n3.example (+36)',
      '40',
    ])
  })

  it('come by the channels that the customer chose, never as a short message; who switched all off is told when one is on again', async () => {
    const choose = (channels: readonly string[]) =>
      call(server, 'app/notify/preference/save', {
        token: alice.token,
        body: { events: [{ event: 'cert_expire', channels }], telegram: '', webhook: '', webhookSecret: '' },
      })
    const cert = await addCert(['a.example'], 5)
    await addSite(cert, alice.id)
    expect((await choose([])).status).toBe(200)
    expect(await run()).toEqual({ customers: 0, staff: 1 })
    await made()
    expect((await choose([...NOTIFY_CHANNELS])).status).toBe(200)
    expect(await run()).toEqual({ customers: 1, staff: 0 })
    expect(short(await made())).toEqual([`cert_expire message ${alice.id}`, 'cert_expire mail alice@example.net'])
  })

  it('come whole or not at all when the work is cut off in the middle', async () => {
    await addSite(await addCert(['a.example'], 5), alice.id)
    const owner = new pg.Client({ connectionString: server.database.ownerUrl })
    await owner.connect()
    await owner.query("ALTER TABLE notice ADD CONSTRAINT cut CHECK (channel <> 'mail') NOT VALID")
    await expect(run()).rejects.toThrow()
    expect(await query('SELECT 1 FROM cert_notice')).toEqual([])
    expect(await made()).toEqual([])
    await owner.query('ALTER TABLE notice DROP CONSTRAINT cut')
    await owner.end()
    expect(await run()).toEqual({ customers: 1, staff: 1 })
  })

  it('have a task of every day that the product brings along, whose days can be changed', async () => {
    await server.built.schedule.ensure()
    const list = await call(server, 'sys/schedule/task/list', { token, body: { kind: 'cert.expiry' } })
    const found = (list.body.data as { list: Record<string, unknown>[] }).list
    expect(found).toMatchObject([
      { kind: 'cert.expiry', cron: '0 9 * * *', params: { days: [30, 14, 7, 3, 1] }, status: 1 },
    ])
    const save = (days: unknown) =>
      call(server, 'sys/schedule/task/save', { token, body: { ...found[0], params: { days } } })
    expect((await save([0])).body).toMatchObject({ code: 400, errors: [{ path: 'params.days.0' }] })
    expect((await save([60, 10])).status).toBe(200)
  })
})
