import type { CustomerInfo, CustomerRow } from '@tidegate/contract/operations/customer'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { ADMIN_PASSWORD, adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { CAPTCHA_TEXT, knownCaptcha } from '../../testing/captcha.ts'
import { CODE, type KnownCodes, knownCodes } from '../../testing/codes.ts'
import { createCustomer } from '../../testing/customers.ts'

const ID_CARD = '11010519491231002X'

describe('customers', () => {
  let server: TestServer
  let token: string
  let codes: KnownCodes
  beforeAll(async () => {
    codes = knownCodes()
    server = await testServer({}, { codes, generateCaptcha: knownCaptcha })
    token = await adminToken(server)
  })
  afterAll(() => server.close())

  const query = (text: string, values: unknown[] = []) => server.built.context.database.pool.query(text, values)
  const admin = (path: string, body: unknown = {}) => call(server, `sys/account/user/${path}`, { token, body })
  const list = async (body: Record<string, unknown> = {}) => {
    const reply = await admin('list', body)
    expect(reply.body).toMatchObject({ code: 1 })
    return reply.body.data as { list: CustomerRow[]; totalCount: number }
  }
  const info = async (id: number) =>
    (await call(server, `sys/account/user/info/${id}`, { method: 'GET', token })).body.data as CustomerInfo
  const profile = (own: string) => call(server, 'app/account/info', { method: 'GET', token: own })
  const set = async (key: string, value: unknown) => {
    await query(
      'INSERT INTO setting (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      [key, JSON.stringify(value)],
    )
    server.clock.advance(6)
  }

  describe('as the operator sees them', () => {
    it('are made with their account fields, and read back with what they have [S3.11]', async () => {
      const made = await admin('save', {
        username: 'first.one',
        password: 'good-1',
        mobile: '13800138000',
        email: 'First@mail.example',
        note: 'from the fair',
        unvalidModel: ['/cdn/site/cache'],
        whiteIpStatus: 1,
        whiteIps: ['127.0.0.0/8'],
      })
      const id = Number(made.body.id)
      expect(await info(id)).toMatchObject({
        id,
        username: 'first.one',
        mobile: '13800138000',
        email: 'First@mail.example',
        balance: 0,
        verifyStatus: 'none',
        enabled: true,
        sites: 0,
        note: 'from the fair',
        whiteIpStatus: 1,
        whiteIps: ['127.0.0.0/8'],
        unvalidModel: ['/cdn/site/cache'],
        lastLogin: '',
      })
      const login = await call(server, 'app/login', { body: { username: 'first.one', password: 'good-1' } })
      const user = (await call(server, 'app/user/info', { method: 'GET', token: String(login.body.token) })).body.user
      expect(user).toMatchObject({
        userId: id,
        username: 'first.one',
        whiteIpStatus: 1,
        unvalidModel: ['/cdn/site/cache'],
      })
      expect((await info(id)).lastLogin).not.toBe('')
    })

    it.each([
      ['username', { username: 'x' }],
      ['username', { username: 'FIRST.ONE' }],
      ['password', { password: '密码密码' }],
      ['mobile', { mobile: '2380013' }],
      ['mobile', { mobile: '13800138000' }],
      ['email', { email: 'nobody' }],
      ['email', { email: 'first@MAIL.example' }],
      ['whiteIps.0', { whiteIps: ['300.1.1.1'] }],
      ['whiteIps.1', { whiteIps: ['192.0.2.1', '192.0.2.1'] }],
      ['whiteIps', { whiteIpStatus: 1 }],
      ['unvalidModel.0', { unvalidModel: ['/no/such'] }],
    ])('are refused with the field %s named: %j [S5.10]', async (path, wrong) => {
      const reply = await admin('save', { username: 'second.one', password: 'good-1', ...wrong })
      expect(reply.body).toMatchObject({ code: 400, errors: [{ path }] })
    })

    it('are searched by name, mobile, mail and real name, and filtered', async () => {
      const { id } = await createCustomer(server, 'searched')
      await query("UPDATE customer SET real_name = '李小龙', mobile = '13911112222', enabled = false WHERE id = $1", [
        id,
      ])
      for (const key of ['SEARCH', '李小', '1391111', 'first@mail'])
        expect([key, (await list({ key })).list.map((c) => c.username)]).toEqual([
          key,
          [key === 'first@mail' ? 'first.one' : 'searched'],
        ])
      expect((await list({ key: '%' })).totalCount).toBe(0)
      expect((await list({ enabled: false })).list.map((c) => c.username)).toEqual(['searched'])
      expect((await list({ sidx: 'username', order: 'asc' })).list.map((c) => c.username)).toEqual([
        'first.one',
        'searched',
      ])
    })

    it('lose every login at once when they are disabled, and cannot come back until enabled', async () => {
      const { id, token: own } = await createCustomer(server, 'to-disable')
      expect((await profile(own)).status).toBe(200)
      await admin('enable', { ids: [id], enabled: false })
      expect((await profile(own)).status).toBe(401)
      const again = () => call(server, 'app/login', { body: { username: 'to-disable', password: ADMIN_PASSWORD } })
      expect((await again()).body).toMatchObject({ error: 'account_disabled' })
      await admin('enable', { ids: [id], enabled: true })
      expect((await profile(own)).status).toBe(401)
      expect((await again()).status).toBe(200)
    })

    it('get a password that is shown once, or the one that was typed; their logins end', async () => {
      const { id, token: own } = await createCustomer(server, 'forgetful')
      const made = await admin('password', { id })
      expect(made.body.password).toMatch(/^[A-Za-z2-9]{20}$/)
      expect((await profile(own)).status).toBe(401)
      const login = (password: unknown) => call(server, 'app/login', { body: { username: 'forgetful', password } })
      expect((await login(made.body.password)).status).toBe(200)
      const typed = await admin('password', { id, newPassword: 'typed-1' })
      expect(typed.body).not.toHaveProperty('password')
      expect((await login('typed-1')).status).toBe(200)
    })

    it('cannot be deleted while they own sites', async () => {
      const { id, token: own } = await createCustomer(server, 'site-owner')
      const site = { domains: ['owned.example'], originProtocol: 'http', origins: [{ host: 'origin.example' }] }
      const saved = await call(server, 'sys/cdn/site/save', { token: own, body: site })
      expect((await list({ key: 'site-owner' })).list[0]?.sites).toBe(1)
      expect((await admin('delete', { ids: [id] })).body).toMatchObject({ code: 409, error: 'in_use' })
      await call(server, 'sys/cdn/site/delete', { token: own, body: { ids: [saved.body.id] } })
      expect((await admin('delete', { ids: [id] })).status).toBe(200)
      expect((await profile(own)).status).toBe(401)
      expect((await call(server, `sys/account/user/info/${id}`, { method: 'GET', token })).status).toBe(404)
    })
  })

  describe('real names', () => {
    it('are handed in, wait for review, and come back with the reason or verified; the number is sealed and masked [S6.6]', async () => {
      const { id, token: own } = await createCustomer(server, 'named-one')
      const hand = (idCard: string) =>
        call(server, 'app/account/realname', { token: own, body: { realName: '张三丰', idCard, consent: true } })
      for (const wrong of ['110105194912310021', '11010519491331002X', '110105', ''])
        expect((await hand(wrong)).body).toMatchObject({
          errors: [{ path: 'idCard', msg: expect.stringContaining('ID card') }],
        })
      expect((await hand(ID_CARD.toLowerCase())).status).toBe(200)
      expect(await info(id)).toMatchObject({
        verifyStatus: 'pending',
        realName: '张三丰',
        idCard: '110***********002X',
      })
      expect((await info(id)).verifyAsked).not.toBe('')
      const { rows } = await query('SELECT id_card FROM customer WHERE id = $1', [id])
      expect(rows[0].id_card).toMatch(/^v1\./)
      expect((await list({ verifyStatus: 'pending' })).list.map((c) => c.username)).toEqual(['named-one'])
      expect((await admin('verify', { id, approve: false })).body).toMatchObject({ errors: [{ path: 'reason' }] })
      expect((await admin('verify', { id, approve: false, reason: 'not readable' })).status).toBe(200)
      expect((await profile(own)).body.data).toMatchObject({
        verifyStatus: 'rejected',
        verifyReason: 'not readable',
        realName: '张**',
        idCard: '110***********002X',
      })
      expect((await admin('verify', { id, approve: true })).body).toMatchObject({ error: 'not_pending' })
      expect((await hand(ID_CARD)).status).toBe(200)
      expect((await admin('verify', { id, approve: true })).status).toBe(200)
      const done = (await profile(own)).body.data as { verifyStatus: string; verifyTime: string }
      expect(done.verifyStatus).toBe('verified')
      expect(done.verifyTime).not.toBe('')
      expect((await hand(ID_CARD)).body).toMatchObject({ code: 409 })
    })

    it('and a bound phone are asked for before domains are added, where the installation says so [S6.4]', async () => {
      const { id, token: own } = await createCustomer(server, 'forced-one')
      const save = (more: object) =>
        call(server, 'sys/cdn/site/save', {
          token: own,
          body: { domains: ['forced.example'], originProtocol: 'http', origins: [{ host: 'o.example' }], ...more },
        })
      const first = await save({})
      expect(first.status).toBe(200)
      await set('verify', { forceRealName: true, forcePhone: true })
      // What is there may be edited; another name may not be added.
      expect((await save({ id: first.body.id, remark: 'x' })).status).toBe(200)
      const more = { id: first.body.id, domains: ['forced.example', 'more.forced.example'] }
      expect((await save(more)).body).toMatchObject({ code: 403, error: 'real_name_required' })
      await query("UPDATE customer SET verify_status = 'verified' WHERE id = $1", [id])
      expect((await save(more)).body).toMatchObject({ code: 403, error: 'phone_required' })
      await query("UPDATE customer SET mobile = '13700000001' WHERE id = $1", [id])
      expect((await save(more)).status).toBe(200)
      // The operator is not asked.
      const byAdmin = await call(server, 'sys/cdn/site/save', {
        token,
        body: { domains: ['admin.forced.example'], originProtocol: 'http', origins: [{ host: 'o.example' }] },
      })
      expect(byAdmin.status).toBe(200)
      await set('verify', {})
    })
  })

  describe('addresses', () => {
    it('are bound by a code and the password, and belong to one account [S6.6]', async () => {
      const { token: own } = await createCustomer(server, 'binding')
      const post = (path: string, body: object) => call(server, `app/account/${path}`, { token: own, body })
      const to = { channel: 'sms', address: '13600000001' }
      expect((await post('code', { channel: 'sms', address: '13800138000' })).body).toMatchObject({
        errors: [{ path: 'address' }],
      })
      expect((await post('code', { channel: 'mail', address: '13600000001' })).body).toMatchObject({
        errors: [{ path: 'address' }],
      })
      expect((await post('code', to)).status).toBe(200)
      expect(codes.sent.at(-1)).toEqual({ ...to, purpose: 'bind' })
      const bind = (more: object) => post('bind', { ...to, code: CODE, password: ADMIN_PASSWORD, ...more })
      expect((await bind({ password: 'wrong' })).body).toMatchObject({ errors: [{ path: 'password' }] })
      expect((await bind({ code: '000000' })).body).toMatchObject({ errors: [{ path: 'code' }] })
      expect((await bind({})).status).toBe(200)
      expect((await profile(own)).body.data).toMatchObject({ mobile: '13600000001' })
      expect((await bind({})).body).toMatchObject({ errors: [{ path: 'code' }] })
    })
  })

  describe('registration', () => {
    beforeEach(() => call(server, 'captcha.jpg?uuid=register-1', { method: 'GET' }))
    const proof = { uuid: 'register-1', captcha: CAPTCHA_TEXT }
    const register = (body: object) => call(server, 'app/register', { body })

    it('needs a captcha only where no channel is asked for, and logs in', async () => {
      expect((await register({ username: 'newcomer', password: 'good-1' })).body).toMatchObject({
        error: 'captcha_required',
      })
      const made = await register({ username: 'newcomer', password: 'good-1', ...proof })
      expect((await profile(String(made.body.token))).body.data).toMatchObject({ username: 'newcomer' })
      expect((await register({ username: 'again-1', password: 'good-1', ...proof })).body).toMatchObject({
        error: 'captcha_wrong',
      })
    })

    it('says which name is taken', async () => {
      const taken = await register({ username: 'NewComer', password: 'good-1', ...proof })
      expect(taken.body).toMatchObject({
        code: 400,
        errors: [{ path: 'username', msg: expect.stringContaining('in use') }],
      })
    })

    it('is bound to a mail address or mobile number by a code, where that is asked for', async () => {
      await set('register', { byMail: true })
      expect((await register({ username: 'by-mail', password: 'good-1', ...proof })).body).toMatchObject({
        errors: [{ path: 'channel' }],
      })
      const send = (more: object) =>
        call(server, 'app/register/code', { body: { channel: 'mail', address: 'by@mail.example', ...proof, ...more } })
      expect((await send({ channel: 'sms', address: '13500000001' })).body).toMatchObject({
        errors: [{ path: 'channel' }],
      })
      expect((await send({ captcha: 'nope' })).body).toMatchObject({ error: 'captcha_wrong' })
      await call(server, 'captcha.jpg?uuid=register-1', { method: 'GET' })
      expect((await send({ address: 'first@mail.example' })).body).toMatchObject({ errors: [{ path: 'address' }] })
      await call(server, 'captcha.jpg?uuid=register-1', { method: 'GET' })
      expect((await send({})).status).toBe(200)
      const with_ = (code: string) =>
        register({ username: 'by-mail', password: 'good-1', channel: 'mail', address: 'by@mail.example', code })
      expect((await with_('111111')).body).toMatchObject({ errors: [{ path: 'code' }] })
      expect((await with_(CODE)).status).toBe(200)
      expect((await list({ key: 'by@mail' })).list[0]).toMatchObject({ username: 'by-mail', email: 'by@mail.example' })
      await set('register', {})
    })

    it('can be closed [S6.4]', async () => {
      await set('register', { closed: true })
      expect((await call(server, 'app/register/info', { method: 'GET' })).body.data).toMatchObject({ closed: true })
      expect((await register({ username: 'too-late', password: 'good-1', ...proof })).body).toMatchObject({
        code: 403,
        error: 'registration_closed',
      })
      expect((await list({ key: 'too-late' })).totalCount).toBe(0)
      await set('register', {})
    })
  })

  describe('a forgotten password', () => {
    const forgot = async (address: string) => {
      await call(server, 'captcha.jpg?uuid=forgot-01', { method: 'GET' })
      return call(server, 'app/forgot/send', { body: { address, uuid: 'forgot-01', captcha: CAPTCHA_TEXT } })
    }
    const reset = (address: string, code: string) =>
      call(server, 'app/reset-password', { body: { address, code, newPassword: 'fresh-1' } })

    it('is answered the same whether the address has an account or not, or the code cannot be sent', async () => {
      const { requestId: _1, ...known } = (await forgot('by@mail.example')).body
      const before = codes.sent.length
      const { requestId: _2, ...unknown } = (await forgot('nobody@mail.example')).body
      expect(codes.sent).toHaveLength(before)
      expect(unknown).toEqual(known)
      expect(codes.orders.slice(-2)).toMatchObject([
        { deliver: true, ip: expect.any(String) },
        { deliver: false, ip: expect.any(String) },
      ])
      codes.broken = true
      const refused = [await forgot('by@mail.example'), await forgot('nobody@mail.example')]
      codes.broken = false
      for (const one of refused) expect(one.body).toMatchObject({ code: 503, error: 'mail_unset' })
      const a = await reset('nobody@mail.example', CODE)
      const b = await reset('by@mail.example', '999999')
      expect([a.status, a.body.errors]).toEqual([b.status, b.body.errors])
    })

    it('is replaced by a code; every login of the account ends', async () => {
      const login = await call(server, 'app/login', { body: { username: 'by-mail', password: 'good-1' } })
      await forgot('BY@mail.example')
      expect((await reset('by@mail.example', CODE)).status).toBe(200)
      expect((await profile(String(login.body.token))).status).toBe(401)
      expect((await call(server, 'app/login', { body: { username: 'by-mail', password: 'fresh-1' } })).status).toBe(200)
      expect((await reset('by@mail.example', CODE)).body).toMatchObject({ errors: [{ path: 'code' }] })
    })
  })

  describe('rights', () => {
    it('of the operator’s staff are parted: who may look may not change, reset, delete, review or act', async () => {
      await createAdmin(server, 'looker', ['account:users:users'])
      const own = await loginAs(server, 'looker')
      const { id } = await createCustomer(server, 'looked-at')
      const post = (path: string, body: object) => call(server, `sys/account/user/${path}`, { token: own, body })
      expect((await post('list', {})).status).toBe(200)
      for (const [path, body] of [
        ['save', {}],
        ['update', {}],
        ['enable', { ids: [id], enabled: false }],
        ['note', { id, note: '' }],
        ['delete', { ids: [id] }],
        ['password', { id }],
        ['verify', { id, approve: true }],
        ['impersonate', { id, reason: 'x' }],
      ] as const)
        expect([path, (await post(path, body)).body.error]).toEqual([path, 'forbidden'])
    })
  })
})
