// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { dispatchConfig } from '@tidegate/contract/config/dispatch'
import { MAIL_PRESETS, mailConfig } from '@tidegate/contract/config/mail'
import { TEMPLATE_KEYS } from '@tidegate/contract/config/notify'
import { SECRET_MASK } from '@tidegate/contract/config/record'
import { SMS_CONFIGS } from '@tidegate/contract/config/sms'
import { fieldErrors } from '@tidegate/contract/issues'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import type { OutputOf } from '@tidegate/contract/operations/index'
import type { ComponentType } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { EMPTY_LIST, USER } from '../../testing/fixtures.ts'
import { press, showPage } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import { Page as DispatchPage } from './DispatchPage.tsx'
import { Page as MailPage } from './MailPage.tsx'
import { Page as SmsPage } from './SmsPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => useSession.setState({ user: USER.user }))

const row = (id: number, paramKey: string, value: unknown, more: Partial<ConfigRow> = {}): ConfigRow => ({
  id,
  paramKey,
  remark: paramKey,
  paramValue: JSON.stringify(value),
  status: 0,
  weight: 1,
  version: value === null ? 0 : 1,
  updateTime: '',
  updateBy: '',
  paramClass: '',
  switchable: true,
  secrets: [],
  editable: true,
  ...more,
})

/** Shows a page over these records; keeps what is saved. */
const show = (Page: ComponentType, rows: ConfigRow[]) => {
  const { seen } = peer({
    'config.list': () => ({ data: { ...EMPTY_LIST.data, list: rows, totalCount: rows.length } }),
    'config.update': ({ id }) => ({ id: Number(id), version: 2 }),
    'config.setStatus': ({ status }) => ({ status: Number(status) }),
    'dispatch.key': () => ({ token: 'monitor-token', importUrl: '' }),
  })
  showPage(Page)
  const saved = () => {
    const last = seen.findLast((s) => s.id === 'config.update')
    return last === undefined ? undefined : (JSON.parse(String(last.input.paramValue)) as Record<string, unknown>)
  }
  return { saved, seen }
}
const control = (label: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^\\*?${label}$`))
const type = async (label: string, text: string) => {
  const input = await control(label)
  fireEvent.change(input, { target: { value: text } })
  fireEvent.blur(input)
}
const SAVE = { en: 'Save', zh: '保存' } as const
/** What a schema says to a value, as the server says it. */
const saidBy = (schema: z.ZodType, value: unknown, lang: 'zh' | 'en') => {
  const parsed = schema.safeParse(value, { reportInput: true })
  return parsed.success ? [] : fieldErrors(parsed.error, lang)
}

describe('the mail form', () => {
  const FIELDS = [
    ['host', 'SMTP server', 'SMTP 服务器', 'the SMTP server cannot be empty', 'SMTP 服务器不能为空'],
    ['username', 'Sender mailbox', '发件邮箱', 'the sender mailbox cannot be empty', '发件邮箱不能为空'],
    [
      'password',
      'Authorization password',
      '授权密码',
      'the authorization password cannot be empty',
      '授权密码不能为空',
    ],
  ] as const

  it.each(FIELDS)(
    'asks for %s on blur and on change, in both languages [S5.5]',
    async (path, en, zh, enText, zhText) => {
      show(MailPage, [row(20, 'mail_config', null)])
      fireEvent.blur(await control(en))
      await screen.findByText(enText)
      await type(en, path === 'username' ? 'a@example.com' : 'x')
      await waitFor(() => expect(screen.queryByText(enText)).toBeNull())
      await type(en, '')
      await screen.findByText(enText)
      chooseLang('zh')
      await control(zh)
      await screen.findByText(zhText)
      const blank = { host: '', username: '', password: '', port: 465 }
      expect(saidBy(mailConfig, blank, 'zh').find((e) => e.path === path)?.msg).toBe(zhText)
    },
  )

  it('says that the port cannot be empty, and goes back to its least when it is cleared [S5.5]', async () => {
    expect(saidBy(mailConfig, { host: 'a.b', username: 'a@b.cd', password: 'x', port: '' }, 'en')).toEqual([
      { path: 'port', msg: 'the port cannot be empty' },
    ])
    show(MailPage, [row(20, 'mail_config', null)])
    await type('Port', '')
    expect((await control('Port')).value).toBe('1')
  })

  it('offers the six presets; port and security follow the chosen one; the password stays masked [S2.22]', async () => {
    expect(MAIL_PRESETS).toHaveLength(6)
    const stored = {
      protocol: 'smtp',
      host: 'old.example.com',
      username: 'a@b.cd',
      password: SECRET_MASK,
      port: 465,
      tls: 'implicit',
      fromName: '',
      templates: [],
    }
    const { saved } = show(MailPage, [row(20, 'mail_config', stored)])
    const server = await control('SMTP server')
    const secret = await control('Authorization password')
    expect([secret.type, secret.value]).toEqual(['password', SECRET_MASK])
    for (const preset of MAIL_PRESETS) {
      fireEvent.change(server, { target: { value: preset.host } })
      expect((await control('Port')).value).toBe(String(preset.port))
    }
    const office = MAIL_PRESETS.find((p) => p.id === 'office365')
    fireEvent.change(server, { target: { value: office?.host } })
    await press(SAVE.en)
    await waitFor(() =>
      expect(saved()).toMatchObject({ host: 'smtp.office365.com', port: 587, tls: 'starttls', password: SECRET_MASK }),
    )
    await screen.findByText('Configuration saved successfully')
  })

  it('sends a test mail with the form as it stands, and shows what the other side answered', async () => {
    let answer: OutputOf<'notify.testMail'>['data'] = { ok: false, fault: 'auth', answer: '535 wrong code' }
    const stored = { host: 'smtp.qq.com', username: 'a@b.cd', password: SECRET_MASK, port: 465 }
    const { seen } = peer({
      'config.list': () => ({ data: { ...EMPTY_LIST.data, list: [row(20, 'mail_config', stored)] } }),
      'notify.testMail': () => ({ data: answer }),
    })
    showPage(MailPage)
    await type('SMTP server', 'smtp.gmail.com')
    await press('Send test mail')
    await screen.findByText('is not an e-mail address')
    expect(seen.some((s) => s.id === 'notify.testMail')).toBe(false)
    await type('Recipient', 'me@example.com')
    await press('Send test mail')
    await screen.findByText('Account or password was refused')
    await screen.findByText('535 wrong code')
    const sent = seen.findLast((s) => s.id === 'notify.testMail')
    expect(sent?.input).toMatchObject({
      to: 'me@example.com',
      config: { host: 'smtp.gmail.com', password: SECRET_MASK },
    })
    answer = { ok: true, fault: 'none', answer: '250 taken' }
    await press('Send test mail')
    await screen.findByText('250 taken')
    expect(screen.queryByText('535 wrong code')).toBeNull()
  })

  it('shows what the server refuses at its field, and a change by someone else above the form', async () => {
    let refusal = new Refusal(400, {
      error: 'invalid_input',
      msg: 'x',
      errors: [{ path: 'paramValue.username', msg: 'not this one' }],
    })
    peer({
      'config.list': () => ({
        data: {
          ...EMPTY_LIST.data,
          list: [row(20, 'mail_config', { host: 'a.b', username: 'a@b.cd', password: SECRET_MASK, port: 465 })],
        },
      }),
      'config.update': () => refusal,
    })
    showPage(MailPage)
    await type('SMTP server', 'b.c')
    await press(SAVE.en)
    await screen.findByText('not this one')
    refusal = new Refusal(409, { error: 'conflict', msg: 'changed' })
    await press(SAVE.en)
    await screen.findByText('Someone else changed it in between')
  })
})

const PROVIDERS = [
  ['tencent', 26, 'Tencent Cloud SMS', '腾讯云短信'],
  ['aliyun', 45, 'Aliyun SMS', '阿里云短信'],
  ['smsbao', 46, 'SMS Bao', '短信宝'],
] as const
const smsRows = (enabled: readonly number[]) =>
  PROVIDERS.map(([, id]) => row(id, `sms_${id}`, null, { status: enabled.includes(id) ? 1 : 0 }))

describe('the SMS screen', () => {
  it.each([
    [[], 'tencent'],
    [[26], 'tencent'],
    [[45], 'aliyun'],
    [[46], 'smsbao'],
    [[45, 46], 'aliyun'],
    [[26, 45, 46], 'tencent'],
  ] as const)(
    'chooses the enabled provider on load, Tencent before Aliyun before SMS Bao: %j -> %s [S2.21]',
    async (enabled, wanted) => {
      show(SmsPage, smsRows(enabled))
      const radios = await screen.findAllByRole<HTMLInputElement>('radio')
      expect(radios.map((r) => r.value)).toEqual(['tencent', 'aliyun', 'smsbao'])
      expect(radios.find((r) => r.checked)?.value).toBe(wanted)
      const sections = TEMPLATE_KEYS.map(
        (key) =>
          ({
            code: 'Verification code',
            meal_out: 'Plan used up',
            meal_expire: 'Plan expires',
            flow_out: 'Traffic package used up',
            flow_expire: 'Traffic package expires',
          })[key],
      )
      for (const name of sections) expect(screen.getByLabelText(name)).toBeTruthy()
    },
  )

  const CLOUD = [
    ['sdkappId', 'sdkAppId cannot be empty', 'sdkAppId 不能为空'],
    ['secretid', 'secretId cannot be empty', 'secretId 不能为空'],
    ['secretkey', 'secretKey cannot be empty', 'secretKey 不能为空'],
    ['signname', 'the signature cannot be empty', '签名不能为空'],
  ] as const
  const BAO = [
    ['api_addr', 'API ADDR cannot be empty', 'API ADDR 不能为空'],
    ['username', 'the username cannot be empty', '用户名不能为空'],
    ['api_key', 'API KEY cannot be empty', 'API KEY 不能为空'],
  ] as const
  it.each(PROVIDERS.flatMap(([kind, id]) => (['en', 'zh'] as const).map((lang) => [kind, id, lang] as const)))(
    'refuses %s without its fields, as the server does (%i, %s) [S5.4]',
    async (kind, id, lang) => {
      chooseLang(lang)
      const { saved } = show(SmsPage, smsRows([id]))
      await screen.findAllByRole('radio')
      if (kind === 'smsbao') fireEvent.change(await control('API ADDR'), { target: { value: '' } })
      await press(SAVE[lang])
      const wanted = (kind === 'smsbao' ? BAO : CLOUD).map(([path, en, zh]) => ({ path, msg: lang === 'en' ? en : zh }))
      for (const { msg } of wanted) await screen.findByText(msg)
      const fields = Object.fromEntries(wanted.map(({ path }) => [path, '']))
      expect(saidBy(SMS_CONFIGS[kind], { type: kind, ...fields }, lang)).toEqual(wanted)
      expect(saved()).toBeUndefined()
    },
  )

  it('saves SMS Bao with a content for each template [S3.19]', async () => {
    const { saved } = show(SmsPage, smsRows([46]))
    await type('Username', 'bao')
    await type('API KEY', 'key-1')
    const contents = await screen.findAllByLabelText('Content')
    expect(contents).toHaveLength(5)
    for (const [i, area] of contents.entries()) fireEvent.change(area, { target: { value: `text ${i}` } })
    await press(SAVE.en)
    await waitFor(() => expect(saved()).toMatchObject({ type: 'smsbao', username: 'bao', api_key: 'key-1' }))
    const templates = saved()?.templateIds as Record<string, { content: string }>
    expect(TEMPLATE_KEYS.map((key) => templates[key]?.content)).toEqual([
      'text 0',
      'text 1',
      'text 2',
      'text 3',
      'text 4',
    ])
  })
})

const DISPATCH = {
  DnsDispatchMode: 'online',
  ModeTimingFrequency: 60,
  checkNodePortList: '80|443',
  checkNodeFrequency: 10,
  failPercent: 80,
  mailNotice: '',
  mailNoticeStatus: 0,
  smsNotice: '',
  smsNoticeStatus: 0,
}

describe('the dispatch form', () => {
  const showDispatch = (more: object = {}) => show(DispatchPage, [row(50, 'dispatch_config', { ...DISPATCH, ...more })])

  const WRONG: [label: string, path: string, text: string, en: string, zh: string, more?: object][] = [
    ['Check ports', 'checkNodePortList', '', 'is required', '不能为空'],
    [
      'Check ports',
      'checkNodePortList',
      '80,443',
      "ports are 1~65535, separated by '|'",
      "端口范围为 1~65535，多个端口以 '|' 分隔",
    ],
    [
      'Check ports',
      'checkNodePortList',
      '80|65536',
      "ports are 1~65535, separated by '|'",
      "端口范围为 1~65535，多个端口以 '|' 分隔",
    ],
    ['Check ports', 'checkNodePortList', '80|80', 'is there twice: 80', '存在重复项：80'],
    ['Check frequency', 'checkNodeFrequency', '5', 'must not be less than 10', '不能小于 10'],
    ['Check frequency', 'checkNodeFrequency', '310', 'must not be greater than 300', '不能大于 300'],
    ['Check frequency', 'checkNodeFrequency', '15', 'must be a multiple of 10', '必须是 10 的倍数'],
    ['Failure rate', 'failPercent', '0', 'must not be less than 1', '不能小于 1'],
    ['Failure rate', 'failPercent', '101', 'must not be greater than 100', '不能大于 100'],
    ['Cycle', 'ModeTimingFrequency', '30', 'must not be less than 60', '不能小于 60', { DnsDispatchMode: 'timing' }],
    [
      'Cycle',
      'ModeTimingFrequency',
      '3660',
      'must not be greater than 3600',
      '不能大于 3600',
      { DnsDispatchMode: 'timing' },
    ],
    [
      'Cycle',
      'ModeTimingFrequency',
      '90',
      'must be a multiple of 60',
      '必须是 60 的倍数',
      { DnsDispatchMode: 'timing' },
    ],
    ['Notification e-mail', 'mailNotice', '', 'is required', '不能为空', { mailNotice: 'a@b.cd', mailNoticeStatus: 1 }],
    [
      'Notification e-mail',
      'mailNotice',
      'nobody',
      'is not an e-mail address',
      '邮箱格式错误',
      { mailNotice: 'a@b.cd', mailNoticeStatus: 1 },
    ],
    [
      'Notification phone',
      'smsNotice',
      '',
      'is required',
      '不能为空',
      { smsNotice: '13800138000', smsNoticeStatus: 1 },
    ],
    [
      'Notification phone',
      'smsNotice',
      '2380',
      'is not a phone number',
      '手机号格式错误',
      { smsNotice: '13800138000', smsNoticeStatus: 1 },
    ],
  ]
  it.each(WRONG)(
    '%s: refuses %s = "%s" with its text, as the server does [S5.1]',
    async (label, path, text, en, zh, more) => {
      const { saved } = showDispatch(more)
      await type(label, text)
      await screen.findByText(en)
      await press(SAVE.en)
      expect(saved()).toBeUndefined()
      const number = typeof (DISPATCH as Record<string, unknown>)[path] === 'number'
      const value = { ...DISPATCH, ...more, [path]: number ? Number(text) : text }
      expect(saidBy(dispatchConfig, value, 'en')).toEqual([{ path, msg: en }])
      expect(saidBy(dispatchConfig, value, 'zh')).toEqual([{ path, msg: zh }])
    },
  )

  it('takes a cycle only in timed mode, where it is required [S5.1 S3.2]', () => {
    const without = { ...DISPATCH, ModeTimingFrequency: null }
    expect(saidBy(dispatchConfig, { ...without, DnsDispatchMode: 'timing' }, 'en')).toEqual([
      { path: 'ModeTimingFrequency', msg: 'is required' },
    ])
    expect(dispatchConfig.parse(without).ModeTimingFrequency).toBe(60)
    expect(dispatchConfig.parse({ ...DISPATCH, DnsDispatchMode: 'timing', ModeTimingFrequency: 3600 })).toMatchObject({
      ModeTimingFrequency: 3600,
    })
  })

  it('begins with mode online, cycle 60 s, check frequency 10 s and failure rate 80 percent', async () => {
    expect(dispatchConfig.parse({})).toEqual(DISPATCH)
    showDispatch()
    const radios = await screen.findAllByRole<HTMLInputElement>('radio')
    expect(radios.find((r) => r.checked)?.value).toBe('online')
    expect((await control('Check frequency')).value).toBe('10')
    expect((await control('Failure rate')).value).toBe('80')
    fireEvent.click(await screen.findByLabelText('Timed switch'))
    expect((await control('Cycle')).value).toBe('60')
  })

  it('has its notices on when an address or number is stored; saving them off clears it [S4.11]', async () => {
    const { saved } = showDispatch({ mailNotice: 'ops@example.com', smsNotice: '13800138000' })
    const on = async (name: string) => (await screen.findByRole('switch', { name })).getAttribute('aria-checked')
    expect([await on('Mail notification'), await on('SMS notification')]).toEqual(['true', 'true'])
    fireEvent.click(await screen.findByRole('switch', { name: 'SMS notification' }))
    await press(SAVE.en)
    await waitFor(() => expect(saved()).toMatchObject({ mailNoticeStatus: 1, smsNoticeStatus: 0 }))
    expect(dispatchConfig.parse(saved())).toMatchObject({
      mailNotice: 'ops@example.com',
      smsNotice: '',
      smsNoticeStatus: 0,
    })
    expect(dispatchConfig.parse({ mailNotice: 'ops@example.com' })).toMatchObject({
      mailNoticeStatus: 1,
      smsNoticeStatus: 0,
    })
  })
})
