/** Customers' login by WeChat against a simulator that keeps WeChat's rules. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, adminToken, call, type Reply, type TestServer, testServer } from '../../testing/app.ts'
import { CAPTCHA_TEXT, knownCaptcha } from '../../testing/captcha.ts'
import { createCustomer } from '../../testing/customers.ts'
import { saveConfig } from '../../testing/settings.ts'
import { startWechatPeer, type WechatFate, type WechatPeer } from '../../testing/wechat-peer.ts'

const APP = { appid: 'wx0123456789abcdef', secret: 'right-AppSecret' }
const USER = { console: 'user' }

describe('logging in by WeChat', () => {
  let server: TestServer
  let peer: WechatPeer
  let ip = 0
  beforeAll(async () => {
    peer = await startWechatPeer({ ...APP, domain: 'localhost', now: () => server.clock.now() })
    const replaced = { generateCaptcha: knownCaptcha, peers: { wechat: peer.roots } }
    server = await testServer({ TIDEGATE_LOGIN_CAPTCHA: 'off' }, replaced)
  })
  afterAll(async () => {
    await server?.close()
    await peer?.close()
  })
  beforeEach(async () => {
    peer.fates.length = 0
    // Tries of one test do not count in the next.
    ip += 1
    await set({})
  })

  const from = () => `198.51.100.${ip}`
  const query = (text: string, values: unknown[] = []) => server.built.context.database.pool.query(text, values)
  const set = async (more: object) => {
    await saveConfig(server, 'wechat_config', { appid: APP.appid, appSecret: APP.secret, ...more })
    // Settings are remembered for some seconds.
    server.clock.advance(10)
  }
  const post = (path: string, body: object, token?: string, headers = USER): Promise<Reply> =>
    call(server, path, { body, token, headers, ip: from() })
  const start = () => post('app/login/wechat', {})
  const finish = (ticket: unknown, answer: string) => post('app/login/wechat/finish', { ticket, query: answer })
  const scan = async (person: string) => {
    const { body } = await start()
    return finish(body.ticket, await peer.scan(String(body.url), person))
  }
  const password = (username: string, more: object = {}) =>
    post('app/login', { username, password: ADMIN_PASSWORD, ...more })
  const link = async (token: string, person: string) => {
    const { body } = await post('app/account/wechat/link', { password: ADMIN_PASSWORD }, token)
    const answer = await peer.scan(String(body.url), person)
    return post('app/account/wechat/finish', { ticket: body.ticket, query: answer }, token)
  }
  const whoIs = async (token: unknown) => {
    const { body } = await call(server, 'app/user/info', { method: 'GET', token: String(token) })
    return (body.user as { username: string } | undefined)?.username
  }
  const lastAudit = async (action: string) => {
    const { rows } = await query('SELECT * FROM audit_log WHERE action = $1 ORDER BY id DESC LIMIT 1', [action])
    return rows[0] as { actor_name: string; target: string; before: unknown; after: unknown } | undefined
  }

  it('goes to WeChat’s page with a state of its own, from each of the customers’ consoles', async () => {
    for (const [console, path] of [
      ['user', '/'],
      ['dns-user', '/dns/'],
    ]) {
      const { body } = await post('/api/app/login/wechat', {}, undefined, { console: String(console) })
      const url = new URL(String(body.url))
      expect([url.pathname, url.hash]).toEqual(['/connect/qrconnect', '#wechat_redirect'])
      expect(Object.fromEntries(url.searchParams)).toEqual({
        appid: APP.appid,
        redirect_uri: `http://localhost${path}`,
        response_type: 'code',
        scope: 'snsapi_login',
        state: expect.stringMatching(/^[\w-]{32}$/),
        lang: 'en',
      })
      expect(JSON.stringify(body)).not.toContain(APP.secret)
    }
    const [one, two] = [await start(), await start()]
    expect(new URL(String(one.body.url)).searchParams.get('state')).not.toBe(
      new URL(String(two.body.url)).searchParams.get('state'),
    )
    const index = await call(server, 'sys/common/index', { method: 'GET' })
    expect(index.body.wechat).toBe(true)
  })

  it('lets in who is linked; linking and unlinking take the password', async () => {
    const { id, token } = await createCustomer(server, 'linked-one')
    const wrong = await post('app/account/wechat/link', { password: 'not-it' }, token)
    expect(wrong.body).toMatchObject({ errors: [{ path: 'password' }] })
    expect((await link(token, 'alice')).status).toBe(200)
    expect(await lastAudit('wechat.linkFinish')).toMatchObject({
      actor_name: 'linked-one',
      target: `customer ${id}`,
      after: { nickname: 'alice' },
    })
    const info = await call(server, 'app/account/wechat/info', { method: 'GET', token })
    expect(info.body.data).toMatchObject({ offered: true, linked: { nickname: 'alice' } })
    const entered = await scan('alice')
    expect(entered.body).toMatchObject({ code: 1, token: expect.stringMatching(/^[\w-]{43}$/) })
    expect(await whoIs(entered.body.token)).toBe('linked-one')
    expect(await lastAudit('auth.wechatFinish')).toMatchObject({ actor_name: 'linked-one', target: `customer ${id}` })
    // Nothing of WeChat's tokens or of the ids is kept where answers or the log show it.
    expect(JSON.stringify([entered.body, info.body])).not.toMatch(/u_alice|o_cdef/)

    expect((await post('app/account/wechat/unlink', { password: 'not-it' }, token)).status).toBe(400)
    expect((await post('app/account/wechat/unlink', { password: ADMIN_PASSWORD }, token)).status).toBe(200)
    expect(await lastAudit('wechat.unlink')).toMatchObject({ before: { nickname: 'alice' } })
    expect((await scan('alice')).body).toMatchObject({ code: 403, error: 'wechat_unbound' })
    expect((await post('app/account/wechat/unlink', { password: ADMIN_PASSWORD }, token)).body.error).toBe('not_found')
  })

  it('links who is not known yet by the next login, once', async () => {
    await createCustomer(server, 'comes-later')
    const stranger = await scan('bob')
    expect(stranger.body).toMatchObject({ error: 'wechat_unbound', nickname: 'bob', register: true })
    const { ticket } = stranger.body
    expect((await post('app/login', { username: 'comes-later', password: 'not-it', wechat: ticket })).status).toBe(401)
    const entered = await password('comes-later', { wechat: ticket })
    expect(await whoIs(entered.body.token)).toBe('comes-later')
    expect(await whoIs((await scan('bob')).body.token)).toBe('comes-later')
    // The ticket is used up, and the login with it fails whole.
    expect((await password('comes-later', { wechat: ticket })).body.error).toBe('ticket_expired')
    await createCustomer(server, 'comes-too-late')
    const other = await createCustomer(server, 'has-another')
    await link(other.token, 'carol')
    expect((await link((await createCustomer(server, 'wants-bob')).token, 'bob')).body.error).toBe('wechat_taken')
    const second = await scan('dave')
    expect((await password('has-another', { wechat: second.body.ticket })).body.error).toBe('wechat_other')
    server.clock.advance(301)
    expect((await password('comes-too-late', { wechat: second.body.ticket })).body.error).toBe('ticket_expired')
    // On the account's page another one takes the first one's place.
    expect((await link(other.token, 'dave')).status).toBe(200)
    expect(await whoIs((await scan('dave')).body.token)).toBe('has-another')
    expect((await scan('carol')).body.error).toBe('wechat_unbound')
  })

  it('links who is not known yet by a registration', async () => {
    const { body } = await scan('erin')
    const proof = { uuid: 'wechat-0001', captcha: CAPTCHA_TEXT }
    await call(server, 'captcha.jpg?uuid=wechat-0001', { method: 'GET' })
    const account = { username: 'erin-account', password: 'new-Password1', ...proof }
    expect((await post('app/register', { ...account, wechat: 'x'.repeat(43) })).body.error).toBe('ticket_expired')
    const made = await post('app/register', { ...account, wechat: body.ticket })
    expect(made.status).toBe(200)
    expect(await whoIs((await scan('erin')).body.token)).toBe('erin-account')
  })

  it('refuses what was changed, mixed up, used before, declined, or came too late', async () => {
    const begin = async () => {
      const { body } = await start()
      return { ticket: body.ticket, query: await peer.scan(String(body.url), 'frank'), url: String(body.url) }
    }
    const [mine, theirs] = [await begin(), await begin()]
    // Another's code in this browser: the state is not this browser's.
    expect((await finish(mine.ticket, theirs.query)).body.error).toBe('wechat_failed')
    expect((await finish(mine.ticket, mine.query)).body.error).toBe('ticket_expired')
    const forged = await begin()
    expect((await finish(forged.ticket, forged.query.replace(/code=[^&]+/, 'code=forged'))).body.error).toBe(
      'wechat_failed',
    )
    expect(await lastAudit('auth.wechatFinish.failed')).toMatchObject({ after: { errcode: 40029 } })
    const replayed = await begin()
    expect((await finish(replayed.ticket, replayed.query)).body.error).toBe('wechat_unbound')
    expect((await finish(replayed.ticket, replayed.query)).body.error).toBe('ticket_expired')
    // The same code with a fresh ticket and its state: WeChat itself refuses it.
    const again = await start()
    const state = new URL(String(again.body.url)).searchParams.get('state')
    const reused = replayed.query.replace(/state=[^&]+/, `state=${state}`)
    expect((await finish(again.body.ticket, reused)).body.error).toBe('wechat_failed')
    expect(await lastAudit('auth.wechatFinish.failed')).toMatchObject({ after: { errcode: 40163 } })
    const declined = await begin()
    const only = `?state=${new URL(declined.url).searchParams.get('state')}`
    expect((await finish(declined.ticket, only)).body.error).toBe('wechat_declined')
    const late = await begin()
    server.clock.advance(301)
    expect((await finish(late.ticket, late.query)).body.error).toBe('ticket_expired')
  })

  it('takes the ticket of a link from nobody but who began it, and no login by it', async () => {
    const [one, two] = [await createCustomer(server, 'begins'), await createCustomer(server, 'steals')]
    const begin = async () => {
      const { body } = await post('app/account/wechat/link', { password: ADMIN_PASSWORD }, one.token)
      return { ticket: body.ticket, query: await peer.scan(String(body.url), 'grace') }
    }
    expect((await post('app/account/wechat/finish', await begin(), two.token)).body.error).toBe('ticket_expired')
    const { ticket, query: answer } = await begin()
    expect((await finish(ticket, answer)).body.error).toBe('ticket_expired')
    const { body } = await start()
    const plain = { ticket: body.ticket, query: await peer.scan(String(body.url), 'grace') }
    expect((await post('app/account/wechat/finish', plain, one.token)).body.error).toBe('ticket_expired')
  })

  it('asks for the second factor, and heeds disabled accounts and allowed addresses', async () => {
    const { id, token } = await createCustomer(server, 'careful')
    await link(token, 'heidi')
    await query('UPDATE customer SET white_ip_status = 1, white_ips = $2 WHERE id = $1', [id, ['203.0.113.0/24']])
    expect((await scan('heidi')).body.error).toBe('address_refused')
    await query('UPDATE customer SET white_ip_status = 0 WHERE id = $1', [id])
    await query(
      `INSERT INTO second_factor (customer_id, kind, name, secret, confirmed_at, created_at) VALUES ($1, 'totp', 'app', 'x', now(), now())`,
      [id],
    )
    expect((await scan('heidi')).body).toMatchObject({
      error: 'second_factor_required',
      methods: ['totp'],
      ticket: expect.any(String),
    })
    await query('DELETE FROM second_factor WHERE customer_id = $1', [id])
    await query('UPDATE customer SET enabled = false WHERE id = $1', [id])
    expect((await scan('heidi')).body.error).toBe('account_disabled')
  })

  it('knows a person by the union id, by the open id where there is none, and learns the union id later', async () => {
    peer.setUnion(false)
    const { id, token } = await createCustomer(server, 'unionless')
    await link(token, 'ivan')
    const { rows: before } = await query('SELECT unionid FROM wechat_link WHERE customer_id = $1', [id])
    expect(before).toEqual([{ unionid: null }])
    expect(await whoIs((await scan('ivan')).body.token)).toBe('unionless')
    peer.setUnion(true)
    expect(await whoIs((await scan('ivan')).body.token)).toBe('unionless')
    const { rows: after } = await query('SELECT unionid FROM wechat_link WHERE customer_id = $1', [id])
    expect(after).toEqual([{ unionid: 'u_ivan' }])
    // Another application of the same operator: another open id, the same union id.
    await query(`UPDATE wechat_link SET appid = 'wxother00000000000', openid = 'o_other' WHERE customer_id = $1`, [id])
    expect(await whoIs((await scan('ivan')).body.token)).toBe('unionless')
  })

  it('is told to the customer when it is linked and unlinked, by oneself or by the staff, who see it and leave a trace', async () => {
    const { id, token } = await createCustomer(server, 'is-told')
    await query("UPDATE customer SET email = 'told@example.net', lang = 'en' WHERE id = $1", [id])
    /** Events by channel since the last look, and the newest message. */
    const told = async () => {
      const { rows } = await query('DELETE FROM notice WHERE owner_id = $1 RETURNING id, event, channel, vars', [id])
      return rows
        .sort((a, b) => a.id - b.id)
        .map((one) => [one.event, one.channel, one.vars.name, one.vars.nickname, one.vars.ip])
    }
    const both = (event: string, ...vars: unknown[]) => ['message', 'mail'].map((channel) => [event, channel, ...vars])
    await link(token, 'olivia')
    expect(await told()).toEqual(both('wechat_linked', 'is-told', 'olivia', from()))
    // Another one in its place.
    await link(token, 'peggy')
    const { rows: replaced } = await query('SELECT vars FROM notice WHERE owner_id = $1', [id])
    expect(replaced.map((one) => one.vars.before)).toEqual(['olivia', 'olivia'])
    expect(await told()).toEqual(both('wechat_replaced', 'is-told', 'peggy', from()))
    expect(await lastAudit('wechat.linkFinish')).toMatchObject({
      before: { nickname: 'olivia' },
      after: { nickname: 'peggy' },
    })
    await link(token, 'olivia')
    await told()
    await post('app/account/wechat/unlink', { password: ADMIN_PASSWORD }, token)
    expect(await told()).toEqual(both('wechat_unlinked', 'is-told', 'olivia', undefined))

    // By a login that brings the ticket.
    const { body } = await scan('olivia')
    await password('is-told', { wechat: body.ticket })
    expect(await told()).toEqual(both('wechat_linked', 'is-told', 'olivia', from()))

    const admin = await adminToken(server)
    const security = (path: string) => call(server, `sys/account/user/security/${path}`, { token: admin, body: { id } })
    expect((await security('info')).body.data).toMatchObject({
      wechat: { nickname: 'olivia', time: expect.any(String) },
    })
    expect((await security('wechat/unlink')).status).toBe(200)
    expect(await told()).toEqual(both('wechat_unlinked', 'is-told', 'olivia', undefined))
    expect(await lastAudit('userSecurity.wechatUnlink')).toMatchObject({
      actor_name: 'admin',
      target: `customer ${id}`,
      before: { nickname: 'olivia' },
    })
    expect((await security('info')).body.data).toMatchObject({ wechat: null })
    expect((await security('wechat/unlink')).body.error).toBe('not_found')
    expect((await scan('olivia')).body.error).toBe('wechat_unbound')
    expect(await told()).toEqual([])
    // It cannot be switched off, and the message leads to where it can be undone.
    const off = { events: [{ event: 'wechat_linked', channels: [] }], telegram: '', webhook: '', webhookSecret: '' }
    expect((await post('app/notify/preference/save', off, token)).status).toBe(400)
    const { rows } = await query(
      'SELECT link FROM message m JOIN message_target t ON t.message_id = m.id WHERE t.customer_id = $1',
      [id],
    )
    expect(new Set(rows.map((one) => one.link))).toEqual(new Set(['/cdn/account/info']))
  })

  const FATES: [what: string, fates: WechatFate[], error: string, fault: string][] = [
    ['an answer about someone else', ['ok', 'liar'], 'wechat_failed', 'nonsense'],
    ['a page instead of JSON', ['html'], 'wechat_failed', 'nonsense'],
    ['a busy system', [{ errcode: -1 }], 'wechat_unreachable', 'silent'],
    ['a server error', [{ status: 502 }], 'wechat_unreachable', 'silent'],
    ['a cut connection', ['cut'], 'wechat_unreachable', 'silent'],
    ['a token that has expired', ['ok', { errcode: 42_001 }], 'wechat_failed', 'refused'],
    ['an application that WeChat does not know', [{ errcode: 40_013 }], 'wechat_unreachable', 'settings'],
    ['another wording of a wrong secret', [{ errcode: 40_125 }], 'wechat_unreachable', 'settings'],
  ]
  it.each(FATES)('stands up to %s', async (_what, fates, error, fault) => {
    const { body } = await start()
    const answer = await peer.scan(String(body.url), 'judy')
    peer.fates.push(...fates)
    expect((await finish(body.ticket, answer)).body.error).toBe(error)
    expect(await lastAudit('auth.wechatFinish.failed')).toMatchObject({ after: { fault } })
  })

  it('tells no one a wrong secret, nor the secret itself', async () => {
    await set({ appSecret: 'wrong-AppSecret' })
    const refused = await scan('judy')
    expect(refused.body).toMatchObject({ code: 503, error: 'wechat_unreachable' })
    expect(JSON.stringify(refused.body)).not.toContain('wrong-AppSecret')
    expect(await lastAudit('auth.wechatFinish.failed')).toMatchObject({ after: { fault: 'settings', errcode: 40001 } })
    const { rows } = await query(`SELECT coalesce(after::text, '') AS text FROM audit_log`)
    for (const { text } of rows) expect(text).not.toMatch(/wrong-AppSecret|right-AppSecret/)
    expect(server.logged()).not.toMatch(/wrong-AppSecret|right-AppSecret/)
    const { rows: stored } = await query(`SELECT value::text AS text FROM setting WHERE key = 'wechat'`)
    expect(stored[0].text).not.toContain('AppSecret"')
    const view = await call(server, 'sys/config/kinfo?key=wechat_config', {
      method: 'GET',
      token: await adminToken(server),
    })
    expect(JSON.stringify(view.body)).not.toContain('wrong-AppSecret')
    expect(JSON.stringify(view.body)).toContain('********')
  })

  it('puts off an address that fails too often; others go on', async () => {
    for (let i = 0; i < 10; i += 1) {
      const { body } = await start()
      peer.fates.push({ errcode: 40_029 })
      await finish(body.ticket, await peer.scan(String(body.url), 'mallory'))
    }
    expect((await start()).body).toMatchObject({ code: 429, error: 'too_many' })
    ip += 1
    expect((await start()).status).toBe(200)
  })

  it('tells the operator what to register, and is off until it is switched on', async () => {
    const token = await adminToken(server)
    const setup = await call(server, 'sys/wechat/info', { method: 'GET', token })
    expect(setup.body.data).toMatchObject({
      domain: 'localhost',
      callbacks: ['http://localhost/', 'http://localhost/dns/'],
      linked: expect.any(Number),
    })
    await call(server, 'sys/config/save', {
      token,
      body: {
        paramKey: 'wechat_config',
        paramValue: JSON.stringify({ appid: APP.appid, appSecret: '********' }),
        status: 0,
      },
    })
    server.clock.advance(10)
    expect((await start()).body.error).toBe('wechat_off')
    expect((await call(server, 'sys/common/index', { method: 'GET' })).body.wechat).toBe(false)
    const wrong = await call(server, 'sys/config/save', {
      token,
      body: { paramKey: 'wechat_config', paramValue: JSON.stringify({ appid: 'nonsense', appSecret: '' }) },
    })
    expect(wrong.body).toMatchObject({
      errors: [{ path: 'paramValue.appid' }, { path: 'paramValue.appSecret' }],
    })
  })
})
