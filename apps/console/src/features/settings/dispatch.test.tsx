// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { dispatchConfig } from '@tidegate/contract/config/dispatch'
import { describe, expect, it } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { press } from '../../testing/page.tsx'
import { Page as DispatchPage } from './DispatchPage.tsx'
import { asOperator, control, row, SAVE, saidBy, show, type } from './testing.tsx'

asOperator()

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

const MODES = [
  ['online', 'Offline switch', '离线切换'],
  ['timing', 'Timed switch', '定时切换'],
  ['random', 'Random', '随机'],
] as const

describe('the dispatch screen', () => {
  it.each(MODES)('offers the mode %s by its name and saves it [S4.6]', async (mode, en, zh) => {
    const from = mode === 'online' ? 'random' : 'online'
    const { saved } = show(DispatchPage, [row(50, 'dispatch_config', { ...DISPATCH, DnsDispatchMode: from })])
    const radios = await screen.findAllByRole<HTMLInputElement>('radio')
    expect(radios.map((r) => r.value)).toEqual(MODES.map(([value]) => value))
    fireEvent.click(await screen.findByLabelText(en))
    await press(SAVE.en)
    await waitFor(() => expect(saved()).toMatchObject({ DnsDispatchMode: mode }))
    chooseLang('zh')
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(zh).checked).toBe(true))
  })

  it.each([
    ['en', ['Check ports', 'Check frequency', 'Failure rate'], ['Mail notification', 'SMS notification'], 'Import URL'],
    ['zh', ['检测端口', '检测频率', '失败率'], ['邮件通知', '短信通知'], '导入地址'],
  ] as const)(
    'shows the monitoring token and address with a copy button each, and every rule (%s) [S2.17]',
    async (lang, fields, switches, address) => {
      chooseLang(lang)
      show(DispatchPage, [row(50, 'dispatch_config', DISPATCH)], 'https://panel.example.com/monitor/import')
      await screen.findByText('monitor-token')
      await screen.findByText('https://panel.example.com/monitor/import')
      expect(screen.getByText(address)).toBeTruthy()
      expect(screen.getAllByRole('button', { name: lang === 'en' ? /Copy/ : /复制/ })).toHaveLength(2)
      const modes = MODES.map(([, en, zh]) => (lang === 'en' ? en : zh))
      for (const mode of modes) expect(screen.getByLabelText(mode)).toBeTruthy()
      for (const label of fields) await control(label)
      for (const name of switches) await screen.findByRole('switch', { name })
    },
  )

  it('renews the token once it was asked for again', async () => {
    const { seen } = show(DispatchPage, [row(50, 'dispatch_config', DISPATCH)], 'https://panel.example.com/in')
    await press('Renew')
    await screen.findByText('Monitors with the present token are refused from then on.')
    await press('Renew', () => document.querySelector('.ant-modal'))
    await waitFor(() => expect(seen.some((s) => s.id === 'dispatch.renewKey')).toBe(true))
  })
})
