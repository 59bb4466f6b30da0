/** The channels against a real mail server and against simulators that check our signatures. */

import { mailConfig } from '@tidegate/contract/config/mail'
import type { NotifyEvent } from '@tidegate/contract/config/notify'
import { smsConfig } from '@tidegate/contract/config/sms'
import {
  aliyunSimulator,
  type Simulator,
  smsBaoSimulator,
  telegramSimulator,
  tencentSimulator,
  webhookReceiver,
} from '@tidegate/testkit/providers'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { acs3Headers, tc3Authorization } from '../../../platform/cloud-signatures.ts'
import { type SmtpPeerOptions, startSmtpPeer } from '../../../testing/smtp-peer.ts'
import { EVENTS } from '../events.ts'
import { DeliveryError } from '../fault.ts'
import { render } from '../render.ts'
import { createMailSender } from './mail.ts'
import { createTelegramSender, createWebhookSender } from './push.ts'
import { createSmsSender } from './sms.ts'
import type { Outgoing, Send } from './types.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
const opened = async <T extends { close(): Promise<unknown> }>(starting: Promise<T>): Promise<T> => {
  const one = await starting
  closing.push(() => one.close())
  return one
}

const notice = (to: string, event: NotifyEvent = 'code', more: Partial<Outgoing> = {}): Outgoing => {
  const samples = Object.fromEntries(EVENTS[event].variables.map((one) => [one.name, one.sample]))
  const values = { ...samples, site: 'Tidegate' }
  const rendered = render(EVENTS[event].texts.zh, values)
  return { id: 'inst-1', event, lang: 'zh', to, rendered, values, handing: async () => {}, ...more }
}
/** The DeliveryError that a try ends with. */
const failureOf = async (send: Send, one: Outgoing): Promise<DeliveryError> => {
  const error = await send(one).catch((e: unknown) => e)
  if (!(error instanceof DeliveryError)) throw new Error(`no delivery error: ${String(error)}`)
  return error
}

describe('published signature vectors', () => {
  it('TC3-HMAC-SHA256: the example of Tencent’s "Signature v3"', () => {
    const body = '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}'
    const given = { secretId: 'AKID', service: 'cvm', host: 'cvm.tencentcloudapi.com', action: 'DescribeInstances' }
    const line = tc3Authorization({ ...given, secretKey: '*'.repeat(32), body, timestamp: 1_551_113_065 })
    expect(line).toBe(
      'TC3-HMAC-SHA256 Credential=AKID/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host;x-tc-action, ' +
        'Signature=10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f',
    )
  })

  it('ACS3-HMAC-SHA256: the example of Alibaba’s "V3 request structure and signature"', () => {
    const { authorization } = acs3Headers({
      keyId: 'YourAccessKeyId',
      keySecret: 'YourAccessKeySecret',
      host: 'ecs.cn-shanghai.aliyuncs.com',
      action: 'RunInstances',
      version: '2014-05-26',
      query: { RegionId: 'cn-shanghai', ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd' },
      body: '',
      date: '2023-10-26T10:22:32Z',
      nonce: '3156853299f313e23d1673dc12e1703d',
    })
    expect(authorization).toBe(
      'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;' +
        'x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
    )
  })
})

describe('mail', () => {
  const mailTo = async (options: SmtpPeerOptions, config: object = {}, trusted = true) => {
    const peer = await opened(startSmtpPeer(options))
    const full = mailConfig.parse({
      host: peer.host,
      port: peer.port,
      username: 'sender@example.com',
      password: 'right-Password',
      tls: options.tls === 'starttls' || options.tls === 'none' ? 'starttls' : 'implicit',
      fromName: '潮门',
      ...config,
    })
    const send = createMailSender(full, { timeoutMs: 1500, ...(trusted && { ca: [peer.certificate] }) })
    return { peer, send }
  }

  it.each(['implicit', 'starttls'] as const)(
    'goes out by %s TLS, with both parts and headers of its own',
    async (tls) => {
      const { peer, send } = await mailTo({ tls })
      expect(await send(notice('alice@example.net'))).toContain('queued as 1')
      const mail = await peer.next('alice@example.net')
      expect(mail).toMatchObject({ from: 'sender@example.com', secure: true, subject: 'Tidegate 验证码' })
      expect(mail.text).toContain('您的验证码是 123456')
      expect(mail.raw).toMatch(/^Message-ID: <inst-1@example.com>/im)
      expect(mail.raw).toMatch(/^Auto-Submitted: auto-generated/im)
      expect(mail.raw).toMatch(/^From: =\?UTF-8\?.*<sender@example.com>/im)
      expect(mail.raw).toContain('text/html')
    },
  )

  it('is never sent without TLS, nor to a certificate that nobody vouches for', async () => {
    const plain = await mailTo({ tls: 'none' })
    expect(await failureOf(plain.send, notice('a@example.net'))).toMatchObject({ next: 'fail' })
    const stranger = await mailTo({}, {}, false)
    expect(await failureOf(stranger.send, notice('a@example.net'))).toMatchObject({
      fault: 'certificate',
      next: 'fail',
    })
    const renamed = await mailTo({}, { host: '127.0.0.1' })
    expect(await failureOf(renamed.send, notice('a@example.net'))).toMatchObject({ fault: 'certificate' })
    for (const { peer } of [plain, stranger, renamed]) expect(peer.mails).toEqual([])
  })

  it('says a wrong password as such, in the server’s words', async () => {
    const { send } = await mailTo({}, { password: 'wrong-Password' })
    const error = await failureOf(send, notice('a@example.net'))
    expect(error).toMatchObject({ fault: 'auth', next: 'fail' })
    expect(error.message).toContain('535')
  })

  it('tells refusals, later tries, silence before and silence after the message apart', async () => {
    const refuse = await mailTo({ refuse: () => ({ code: 550, text: 'no such user' }) })
    expect(await failureOf(refuse.send, notice('a@example.net'))).toMatchObject({ fault: 'refused', next: 'fail' })
    const busy = await mailTo({ refuse: () => ({ code: 451, text: 'later' }) })
    expect(await failureOf(busy.send, notice('a@example.net'))).toMatchObject({ fault: 'temporary', next: 'retry' })
    for (const fate of ['hang', 'drop'] as const) {
      const { send } = await mailTo({ onMessage: () => fate })
      expect([fate, await failureOf(send, notice('a@example.net'))]).toMatchObject([fate, { next: 'unknown' }])
    }
    const gone = await mailTo({})
    await gone.peer.close()
    expect(await failureOf(gone.send, notice('a@example.net'))).toMatchObject({ fault: 'unreachable', next: 'retry' })
  })

  it('takes no header and no mark-up from the values of variables', async () => {
    const { peer, send } = await mailTo({})
    const evil = 'x\r\nBcc: victim@example.org\r\n\r\n<script>alert(1)</script>'
    const values = { id: '1', name: evil, title: evil, site: 'Tidegate' }
    const rendered = render(EVENTS.work_order_reply.texts.en, values)
    const subject = render({ subject: '{title}', body: 'x' }, values).subject
    await send(notice('alice@example.net', 'work_order_reply', { rendered: { ...rendered, subject } }))
    const mail = await peer.next('alice@example.net')
    expect(mail.to).toEqual(['alice@example.net'])
    expect(mail.raw.split(/\r?\n\r?\n/)[0]).not.toMatch(/^bcc:/im)
    expect(mail.subject).toContain('x Bcc: victim@example.org')
    expect(rendered.html).not.toContain('<script>')
  })
})

const cloud = { sdkappId: '1400', secretid: 'sim-id', secretkey: 'sim-Secret', signname: '潮门' }
const templates = {
  code: { id: 'T1', content: '验证码{code}，{minutes}分钟内有效' },
  meal_expire: { id: 'T2', content: '{date} {plan}' },
}

describe('short messages', () => {
  const withRoots = (sim: Simulator, type: 'tencent' | 'aliyun', more: object = {}, timeoutMs = 1500) =>
    createSmsSender(
      { clock: systemClock, roots: { tencent: sim.url, aliyun: sim.url }, timeoutMs },
      smsConfig.parse({ type, ...cloud, templateIds: templates, ...more }),
    )
  const bao = (sim: Simulator, more: object = {}) =>
    createSmsSender(
      { clock: systemClock, roots: { tencent: '', aliyun: '' }, timeoutMs: 1500 },
      smsConfig.parse({
        type: 'smsbao',
        api_addr: `${sim.url}/sms`,
        username: 'bao-user',
        api_key: 'bao-Key',
        signname: '潮门',
        templateIds: templates,
        ...more,
      }),
    )

  it('by Tencent: signed, the variables in the template’s order', async () => {
    const sim = await opened(tencentSimulator('sim-id', 'sim-Secret'))
    expect(await withRoots(sim, 'tencent')(notice('13800000000', 'meal_expire'))).toBe('Ok 5000:1')
    expect(JSON.parse(sim.taken[0]?.body ?? '')).toMatchObject({
      SmsSdkAppId: '1400',
      SignName: '潮门',
      TemplateId: 'T2',
      TemplateParamSet: ['2026-12-31', 'CDN Pro'],
      PhoneNumberSet: ['+8613800000000'],
    })
    expect(sim.refused).toEqual([])
  })

  it('by Aliyun: signed, the variables by name', async () => {
    const sim = await opened(aliyunSimulator('sim-id', 'sim-Secret'))
    const send = withRoots(sim, 'aliyun')
    expect(
      await send(notice('13800000000', 'meal_expire', { values: { plan: "a b*c~d/e'()", date: '2026-12-31' } })),
    ).toBe('OK 9006^0')
    await send(notice('13800000000'))
    expect(sim.refused).toEqual([])
    expect(sim.taken[0]?.query).toMatchObject({ PhoneNumbers: '13800000000', SignName: '潮门', TemplateCode: 'T2' })
    expect(JSON.parse(sim.taken[0]?.query.TemplateParam ?? '')).toEqual({ date: '2026-12-31', plan: "a b*c~d/e'()" })
  })

  it('by SMS Bao: the text itself behind the sign', async () => {
    const sim = await opened(smsBaoSimulator('bao-user', 'bao-Key'))
    expect(await bao(sim)(notice('13800000000'))).toBe('0')
    expect(sim.taken[0]?.query).toMatchObject({ m: '13800000000', c: '【潮门】验证码123456，5分钟内有效' })
    expect(await bao(sim, { templateIds: {} })(notice('13800000000'))).toBe('0')
    expect(sim.taken[1]?.query.c).toContain('【潮门】您的验证码是 123456')
    // The staff's own numbers: this provider needs no template of it.
    expect(await bao(sim)(notice('13800000000', 'node_down'))).toBe('0')
    expect(sim.taken[2]?.query.c).toContain('节点 edge-1 于 2026-11-21 10:00 检测异常')
  })

  it('with a wrong secret is refused, and said so', async () => {
    const tencent = await opened(tencentSimulator('sim-id', 'another-Secret'))
    expect(await failureOf(withRoots(tencent, 'tencent'), notice('13800000000'))).toMatchObject({ fault: 'auth' })
    const aliyun = await opened(aliyunSimulator('sim-id', 'another-Secret'))
    expect(await failureOf(withRoots(aliyun, 'aliyun'), notice('13800000000'))).toMatchObject({ fault: 'auth' })
    const third = await opened(smsBaoSimulator('bao-user', 'another-Key'))
    expect(await failureOf(bao(third), notice('13800000000'))).toMatchObject({
      fault: 'auth',
      message: '30: wrong password',
    })
    for (const sim of [tencent, aliyun, third]) expect([sim.taken.length, sim.refused.length]).toEqual([0, 1])
  })

  it('that a provider refuses, puts off, lies about or leaves unanswered end each in their own way', async () => {
    const tencent = await opened(tencentSimulator('sim-id', 'sim-Secret'))
    const send = withRoots(tencent, 'tencent')
    const cases = [
      [{ code: 'LimitExceeded.PhoneNumberOneHourLimit' }, 'temporary', 'retry'],
      [{ code: 'InvalidParameterValue.IncorrectPhoneNumber' }, 'refused', 'fail'],
      [{ status: 502, body: '<html>' }, 'temporary', 'unknown'],
      [{ status: 200, body: 'fine!' }, 'refused', 'fail'],
      [{ status: 200, body: '{"Response":{}}' }, 'refused', 'fail'],
      ['cut', 'silent', 'unknown'],
      ['silent', 'silent', 'unknown'],
    ] as const
    for (const [fate, fault, next] of cases) {
      tencent.fates.push(fate)
      expect([fate, await failureOf(send, notice('13800000000'))]).toMatchObject([fate, { fault, next }])
    }
    const aliyun = await opened(aliyunSimulator('sim-id', 'sim-Secret'))
    aliyun.fates.push({ code: 'isv.BUSINESS_LIMIT_CONTROL' })
    expect(await failureOf(withRoots(aliyun, 'aliyun'), notice('13800000000'))).toMatchObject({ next: 'retry' })
    const third = await opened(smsBaoSimulator('bao-user', 'bao-Key'))
    third.fates.push({ code: '41' })
    expect(await failureOf(bao(third), notice('13800000000'))).toMatchObject({
      fault: 'refused',
      message: '41: no balance',
    })
  })

  it('of an event without a template, or one switched off or without id, are skipped', async () => {
    const sim = await opened(tencentSimulator('sim-id', 'sim-Secret'))
    const off = withRoots(sim, 'tencent', { templateIds: { code: { id: 'T1', status: 0 } } })
    expect(await failureOf(off, notice('13800000000'))).toMatchObject({ fault: 'switched_off', next: 'skip' })
    expect(await failureOf(off, notice('13800000000', 'meal_out'))).toMatchObject({
      fault: 'not_configured',
      next: 'skip',
    })
    expect(await failureOf(off, notice('13800000000', 'node_down'))).toMatchObject({ next: 'skip' })
    expect(sim.taken).toEqual([])
  })
})

describe('Telegram and webhooks', () => {
  it('a bot’s message is plain text; a wrong token and a flood are told apart', async () => {
    const sim = await opened(telegramSimulator('1:bot-Token'))
    const send = createTelegramSender({ apiRoot: sim.url, token: '1:bot-Token' }, 1500)
    expect(await send(notice('42', 'node_down'))).toBe('ok 7')
    expect(JSON.parse(sim.taken[0]?.body ?? '')).toMatchObject({
      chat_id: '42',
      text: expect.stringContaining('edge-1'),
    })
    expect(sim.taken[0]?.body).not.toContain('parse_mode')
    sim.fates.push({ code: '429' }, { code: '400' })
    expect(await failureOf(send, notice('42'))).toMatchObject({ next: 'retry' })
    expect(await failureOf(send, notice('42'))).toMatchObject({ fault: 'refused', next: 'fail' })
    const wrong = createTelegramSender({ apiRoot: sim.url, token: '2:bot' }, 1500)
    expect(await failureOf(wrong, notice('42'))).toMatchObject({ fault: 'auth', next: 'fail' })
  })

  it('a webhook is signed over time and body, and repeated after silence with the same id', async () => {
    const sim = await opened(webhookReceiver('hook-Secret'))
    const options = { clock: systemClock, secret: 'hook-Secret', allowPrivate: true, timeoutMs: 1500 }
    const send = createWebhookSender(options)
    const one = notice(`${sim.url}/in`, 'node_down')
    sim.fates.push('silent')
    expect(await failureOf(send, one)).toMatchObject({ fault: 'silent', next: 'retry' })
    expect(await send(one)).toContain('HTTP 200')
    expect([sim.taken.length, [...sim.deliveries]]).toEqual([2, ['inst-1']])
    expect(JSON.parse(sim.taken[0]?.body ?? '')).toMatchObject({
      id: 'inst-1',
      event: 'node_down',
      variables: { node: 'edge-1' },
    })
    const wrong = createWebhookSender({ ...options, secret: 'other-Secret' })
    expect(await failureOf(wrong, one)).toMatchObject({ fault: 'auth', next: 'fail' })
  })

  it('to an address that a customer named never reaches the operator’s network, and follows no redirect', async () => {
    const sim = await opened(webhookReceiver('s3cret'))
    const port = new URL(sim.url).port
    const guarded = createWebhookSender({ clock: systemClock, secret: 's3cret', allowPrivate: false, timeoutMs: 1500 })
    // The last ones are names and other clothes of the loopback address.
    const hosts = [
      '127.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
      '10.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
    ]
    for (const host of hosts) {
      const error = await failureOf(guarded, notice(`http://${host}:${port}/`))
      expect([host, error.fault, error.next]).toEqual([host, 'private_address', 'fail'])
    }
    expect(sim.taken).toEqual([])
    const open = createWebhookSender({ clock: systemClock, secret: 's3cret', allowPrivate: true, timeoutMs: 1500 })
    sim.fates.push({ status: 302, body: '' })
    expect(await failureOf(open, notice(sim.url))).toMatchObject({ fault: 'refused', next: 'fail' })
    expect(sim.taken.length).toBe(1)
  })
})
