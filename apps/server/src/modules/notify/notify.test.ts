/** The queue of notices, from the writer's transaction to the peer, with its log and screens. */
import { SMS_CONFIGS } from '@tidegate/contract/config/sms'
import type { DeliveryRow, TemplateRow } from '@tidegate/contract/operations/notify'
import { telegramSimulator, webhookReceiver } from '@tidegate/testkit/providers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/customers.ts'
import { saveConfig } from '../../testing/settings.ts'
import { type SmtpPeer, startSmtpPeer } from '../../testing/smtp-peer.ts'
import { createPump } from './pump.ts'
import { ADDRESS_LIMITS } from './send.ts'

const VARS = { plan: 'CDN Pro', date: '2026-12-31', days: '7' }

describe('notices', () => {
  let server: TestServer
  let token: string
  let smtp: SmtpPeer
  let alice: TestCustomer
  let began = 0
  const fates: ('take' | 'hang' | 'drop' | { code: number; text: string })[] = []
  const peers: { mail: { ca: string[]; timeoutMs: number }; timeoutMs: number } = {
    mail: { ca: [], timeoutMs: 2000 },
    timeoutMs: 2000,
  }

  beforeAll(async () => {
    smtp = await startSmtpPeer({ onMessage: () => fates.shift() ?? 'take' })
    peers.mail.ca.push(smtp.certificate)
    server = await testServer({}, { peers })
    began = server.clock.now()
    token = await adminToken(server)
    alice = await createCustomer(server, 'alice-customer')
    await query("UPDATE customer SET email = 'alice@example.net', mobile = '13800000000', lang = 'en' WHERE id = $1", [
      alice.id,
    ])
    await setMail({})
  })
  afterAll(async () => {
    await server.close()
    await smtp.close()
  })
  beforeEach(async () => {
    // Logins and limits are as at the start.
    server.clock.advance((began - server.clock.now()) / 1000)
    smtp.mails.length = 0
    await query('DELETE FROM notice')
  })

  const query = async <T>(text: string, values: unknown[] = []) =>
    (await server.built.context.database.pool.query(text, values)).rows as T[]
  const database = () => server.built.context.database.db
  const notify = () => server.built.notify
  const setMail = (more: object) =>
    saveConfig(server, 'mail_config', {
      host: smtp.host,
      port: smtp.port,
      tls: 'implicit',
      username: 'sender@example.com',
      password: 'right-Password',
      ...more,
    })
  const states = () =>
    query<{ channel: string; state: string; fault: string; attempts: number; answer: string }>(
      'SELECT channel, state, fault, attempts, answer FROM notice ORDER BY id',
    )
  const toAlice = (more: object = {}) =>
    database().transaction((tx) =>
      notify().send(tx, { event: 'meal_expire', to: { user: alice.id }, vars: VARS, ...more }),
    )
  const mailTo = (address: string, more: object = {}) =>
    database().transaction((tx) =>
      notify().send(tx, {
        event: 'meal_out',
        to: { channel: 'mail', address },
        vars: { name: 'Bob', plan: 'P', date: 'D' },
        ...more,
      }),
    )

  it('exist only if the writer commits, and go out in the customer’s language', async () => {
    await expect(
      database().transaction(async (tx) => {
        await notify().send(tx, { event: 'meal_expire', to: { user: alice.id }, vars: VARS })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await states()).toEqual([])
    expect(await toAlice()).toBe(3)
    expect(await query('SELECT title FROM message')).toEqual([{ title: 'Plan CDN Pro expires on 2026-12-31' }])
    await notify().pump.drain()
    const mail = await smtp.next('alice@example.net')
    expect(mail.subject).toBe('Plan CDN Pro expires on 2026-12-31')
    expect(mail.text).toContain('Hello alice-customer,')
    expect(await states()).toMatchObject([
      { channel: 'message', state: 'sent' },
      { channel: 'mail', state: 'sent', attempts: 1, answer: expect.stringContaining('queued as') },
      { channel: 'sms', state: 'skipped', fault: 'not_configured' },
    ])
  })

  it('of an event must have just its variables', async () => {
    await expect(toAlice({ vars: { plan: 'x' } })).rejects.toThrow('variable')
    await expect(toAlice({ vars: { ...VARS, more: 'x' } })).rejects.toThrow('variable more')
    expect(
      await database().transaction((tx) =>
        notify().send(tx, { event: 'meal_expire', to: { user: 999_999 }, vars: VARS }),
      ),
    ).toBe(0)
  })

  it('of one key are made once for each address, also at the same time', async () => {
    await Promise.all([1, 2, 3].map(() => mailTo('b@example.net', { dedupKey: 'meal_out 7' })))
    await mailTo('b@example.net', { dedupKey: 'meal_out 7' })
    await mailTo('c@example.net', { dedupKey: 'meal_out 7' })
    await notify().pump.drain()
    expect(smtp.mails.map((m) => m.to[0]).sort()).toEqual(['b@example.net', 'c@example.net'])
  })

  it('to one address are limited', async () => {
    for (let i = 0; i <= ADDRESS_LIMITS.mail; i++) await mailTo('flood@example.net')
    const all = await states()
    expect(all.filter((one) => one.state === 'queued').length).toBe(ADDRESS_LIMITS.mail)
    expect(all.at(-1)).toMatchObject({ state: 'skipped', fault: 'rate' })
  })

  it('are tried again with growing waits, and fail at last', async () => {
    fates.push(...Array.from({ length: 6 }, () => ({ code: 451, text: 'come back later' })))
    await mailTo('later@example.net')
    for (const [i, wait] of [10, 60, 300, 1800, 7200].entries()) {
      await notify().pump.drain()
      expect(await states()).toMatchObject([{ state: 'queued', fault: 'temporary', attempts: i + 1 }])
      server.clock.advance(wait - 1)
      await notify().pump.drain()
      expect((await states())[0]?.attempts).toBe(i + 1)
      server.clock.advance(1)
    }
    await notify().pump.drain()
    expect(await states()).toMatchObject([{ state: 'failed', attempts: 6, answer: expect.stringContaining('451') }])
  })

  it('with a wrong password fail at once; the log says so and holds no secret, also where the server repeats it', async () => {
    await setMail({ password: 'wrong-Password9' })
    await mailTo('a@example.net')
    await notify().pump.drain()
    await setMail({})
    const [one] = await states()
    expect(one).toMatchObject({ state: 'failed', fault: 'auth', attempts: 1 })
    expect(one?.answer).toContain('5.7.8 wrong password ******')
    expect(JSON.stringify(await query('SELECT * FROM notice'))).not.toContain('wrong-Password9')
    expect(server.logged()).not.toContain('wrong-Password9')
  })

  it('that the server fell silent over are not sent twice', async () => {
    fates.push('drop')
    await mailTo('a@example.net')
    await notify().pump.drain()
    expect(await states()).toMatchObject([{ state: 'unknown', fault: 'silent' }])
    server.clock.advance(100_000)
    await notify().pump.drain()
    expect(smtp.mails).toEqual([])
  })

  it('of a worker that died are sent by another if it had not begun to hand over, and else given up as unknown', async () => {
    await mailTo('before@example.net')
    await mailTo('after@example.net')
    await mailTo('hook@example.net')
    const held: (() => void)[] = []
    /** Stands for a process that is killed: what it does stops where it is. */
    const dying = createPump({
      db: database(),
      clock: server.clock,
      log: server.built.context.log,
      secrets: async () => [],
      deliver: async (notice, handing) => {
        if (notice.address !== 'before@example.net') await handing()
        return new Promise((_, failed) => void held.push(() => failed(new Error('killed'))))
      },
    })
    await query("UPDATE notice SET channel = 'webhook' WHERE address = 'hook@example.net'")
    void dying.drain()
    await expect.poll(() => held.length, { timeout: 30_000 }).toBe(3)
    await notify().pump.drain()
    expect((await states()).map((one) => one.state)).toEqual(['sending', 'sending', 'sending'])
    server.clock.advance(121)
    await query("UPDATE notice SET channel = 'mail' WHERE address = 'after@example.net'")
    await notify().pump.drain()
    expect(smtp.mails.map((m) => m.to[0])).toEqual(['before@example.net'])
    const after = await query<{ address: string; state: string }>('SELECT address, state FROM notice ORDER BY id')
    expect(after.slice(0, 2)).toEqual([
      { address: 'before@example.net', state: 'sent' },
      { address: 'after@example.net', state: 'unknown' },
    ])
    // The dead one's outcome counts no more.
    for (const end of held) end()
    await dying.stop()
    expect((await states()).slice(0, 2).map((one) => one.state)).toEqual(['sent', 'unknown'])
  })

  it('too late to be of use are not sent', async () => {
    await mailTo('a@example.net', { validFor: 60 })
    server.clock.advance(61)
    await notify().pump.drain()
    expect(await states()).toMatchObject([{ state: 'skipped', fault: 'expired' }])
  })

  it('come by the channels that the customer chose; receivers in the operator’s network are refused', async () => {
    const save = (body: object) =>
      call(server, 'app/notify/preference/save', {
        token: alice.token,
        body: {
          events: [{ event: 'meal_expire', channels: ['webhook'] }],
          telegram: '',
          webhook: '',
          webhookSecret: '',
          ...body,
        },
      })
    for (const webhook of ['http://127.0.0.1/', 'https://[::1]/x', 'http://10.1.2.3/', 'http://localhost:8080/'])
      expect((await save({ webhook })).body).toMatchObject({ code: 400, errors: [{ path: 'webhook' }] })
    expect((await save({ telegram: '-100123' })).body).toMatchObject({ code: 400, errors: [{ path: 'telegram' }] })
    await save({ webhook: 'https://hooks.example.com/a', webhookSecret: 'customer-Secret' })
    const info = await call(server, 'app/notify/preference/info', { method: 'GET', token: alice.token })
    expect(info.body.data).toMatchObject({
      webhook: 'https://hooks.example.com/a',
      webhookSecret: '********',
      bound: { mail: true, sms: true },
    })
    const { events } = info.body.data as { events: { event: string; channels: string[]; possible: string[] }[] }
    // Nobody has set up short messages here.
    expect(events.filter(({ possible }) => possible.includes('sms'))).toEqual([])
    expect(events.find((one) => one.event === 'meal_expire')?.channels).toEqual(['webhook'])
    await toAlice()
    expect(await states()).toMatchObject([{ channel: 'webhook', state: 'queued' }])
    // A notice about the account itself comes all the same.
    await database().transaction((tx) =>
      notify().send(tx, { event: 'account_disabled', to: { user: alice.id }, vars: { time: 'now' } }),
    )
    expect((await states()).map((one) => one.channel)).toEqual(['webhook', 'mail'])
    const [stored] = await query<{ secret: string }>('SELECT secret FROM notice_receiver')
    expect(stored?.secret).not.toContain('customer-Secret')
    await save({ events: [] })
    await query('DELETE FROM notice_preference')
  })

  it('can be chosen as short messages for the events whose template the enabled provider has switched on', async () => {
    const possible = async () => {
      server.clock.advance(6)
      const info = await call(server, 'app/notify/preference/info', { method: 'GET', token: alice.token })
      const { events } = info.body.data as { events: { event: string; channels: string[]; possible: string[] }[] }
      for (const { channels } of events.filter((one) => one.possible.includes('sms'))) expect(channels).toContain('sms')
      return events.filter((one) => one.possible.includes('sms')).map((one) => one.event)
    }
    const bao = { api_addr: 'https://sms.example.com', username: 'u', api_key: 'k' }
    const text = { content: 'text' }
    const off = { ...text, status: 0 }
    await saveConfig(
      server,
      'sms_bao',
      SMS_CONFIGS.smsbao.parse({ ...bao, templateIds: { meal_out: off, code: text } }),
    )
    expect(await possible()).toEqual(['meal_expire', 'flow_out', 'flow_expire'])
    const cloud = { sdkappId: '1', secretid: 'id', secretkey: 'key', signname: 'Sign' }
    const ids = { meal_out: { id: '12' }, flow_out: { id: '13', status: 0 } }
    await saveConfig(server, 'sms_aliyun', SMS_CONFIGS.aliyun.parse({ ...cloud, templateIds: ids }))
    expect(await possible()).toEqual(['meal_out'])
    await query("UPDATE setting SET status = 0 WHERE key LIKE 'sms%'")
    expect(await possible()).toEqual([])
  })

  it('to the staff go to the chat, receiver and mailbox of the channel settings, which are masked and kept', async () => {
    const telegram = await telegramSimulator('1:bot-Token')
    const hook = await webhookReceiver('hook-Secret')
    const body = {
      mail: { to: 'staff@example.net' },
      telegram: { apiRoot: telegram.url, token: '1:bot-Token', chatId: '-100' },
      webhook: { url: `${hook.url}/in`, secret: 'hook-Secret' },
    }
    const save = (one: object) => call(server, 'sys/notify/channel/save', { token, body: one })
    expect((await save(body)).status).toBe(200)
    const shown = await call(server, 'sys/notify/channel/info', { method: 'GET', token })
    expect(JSON.stringify(shown.body)).not.toMatch(/bot-Token|hook-Secret/)
    expect((await save(shown.body.data as object)).status).toBe(200)
    const stored = await query('SELECT value FROM setting')
    expect(JSON.stringify(stored)).not.toMatch(/bot-Token|hook-Secret/)
    await database().transaction((tx) =>
      notify().send(tx, {
        event: 'node_down',
        to: { operator: true },
        vars: { node: 'edge-1', reason: 'port 443', time: 'now' },
      }),
    )
    await notify().pump.drain()
    expect((await states()).map((one) => `${one.channel} ${one.state}`)).toEqual([
      'mail sent',
      'telegram sent',
      'webhook sent',
    ])
    expect([telegram.taken.length, hook.taken.length, hook.refused]).toEqual([1, 1, []])
    for (const kind of ['telegram', 'webhook'])
      expect((await call(server, `sys/notify/test/${kind}`, { token })).body).toMatchObject({ data: { ok: true } })
    await telegram.close()
    await hook.close()
  })

  it('for a test answer what the server said, right or wrong', async () => {
    const test = (config?: object) =>
      call(server, 'sys/notify/test/mail', { token, body: { to: 'me@example.net', ...(config && { config }) } })
    expect((await test()).body).toMatchObject({ data: { ok: true, answer: expect.stringContaining('queued as') } })
    const form = { host: smtp.host, port: smtp.port, tls: 'implicit', username: 'sender@example.com' }
    expect((await test({ ...form, password: '********' })).body).toMatchObject({ data: { ok: true } })
    const wrong = await test({ ...form, password: 'not-this-one' })
    expect(wrong.body).toMatchObject({ data: { ok: false, fault: 'auth', answer: expect.stringContaining('535') } })
    expect(JSON.stringify(wrong.body)).not.toContain('not-this-one')
    const sms = await call(server, 'sys/notify/test/sms', { token, body: { to: '13800000000' } })
    expect(sms.body).toMatchObject({ data: { ok: false, fault: 'not_configured' } })
  })

  it('have texts that can be changed, previewed and reset; an unknown variable is named', async () => {
    const text = {
      event: 'meal_out',
      channel: 'mail',
      lang: 'en',
      subject: 'Gone: {plan}',
      body: 'Plan {plan} <b>is</b> gone at {site}.',
    }
    const save = (body: object) => call(server, 'sys/notify/template/save', { token, body })
    expect((await save({ ...text, body: '{code}' })).body).toMatchObject({
      code: 400,
      errors: [{ path: 'body', msg: 'there is no variable {code}' }],
    })
    expect((await save({ ...text, subject: 'two\nlines' })).body).toMatchObject({
      code: 400,
      errors: [{ path: 'subject' }],
    })
    const preview = await call(server, 'sys/notify/template/preview', { token, body: text })
    expect(preview.body.data).toMatchObject({
      subject: 'Gone: CDN Pro',
      text: 'Plan CDN Pro <b>is</b> gone at Tidegate.',
    })
    expect((preview.body.data as { html: string }).html).not.toContain('<b>')
    await save(text)
    await mailTo('own@example.net', { lang: 'en' })
    await notify().pump.drain()
    expect((await smtp.next('own@example.net')).subject).toBe('Gone: P')
    const own = async () =>
      ((await call(server, 'sys/notify/template/list', { token })).body.data as TemplateRow[]).filter((one) => one.own)
        .length
    expect(await own()).toBe(1)
    await save({ ...text, reset: true })
    expect(await own()).toBe(0)
  })

  it('are found in the log, and a failed one is sent again', async () => {
    fates.push({ code: 550, text: 'no such mailbox' })
    await mailTo('typo@example.net')
    await mailTo('good@example.net')
    await notify().pump.drain()
    const log = async (body: object) =>
      ((await call(server, 'sys/notify/log', { token, body })).body.data as { list: DeliveryRow[]; totalCount: number })
        .list
    const [failed] = await log({ state: 'failed' })
    expect(failed).toMatchObject({
      channel: 'mail',
      event: 'meal_out',
      answer: expect.stringContaining('no such mailbox'),
    })
    expect((await log({ key: 'NO SUCH mailbox' })).length).toBe(1)
    expect((await log({ key: 'example.net', channel: 'mail', order: 'asc' })).length).toBe(2)
    expect((await log({ event: 'code' })).length).toBe(0)
    const again = (id: number | undefined) => call(server, 'sys/notify/log/resend', { token, body: { id } })
    expect((await again(failed?.id)).status).toBe(200)
    await notify().pump.drain()
    expect(await log({ state: 'failed' })).toEqual([])
    expect((await again(failed?.id)).body).toMatchObject({ code: 409, error: 'notice_final' })
  })
})
