// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
/** The ten screens of the system settings, each by its path, over records in the form of the contract. */
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { registerConfig, verifyConfig } from '@tidegate/contract/config/account'
import { loginConfig } from '@tidegate/contract/config/login'
import { mailConfig } from '@tidegate/contract/config/mail'
import { oidcConfig } from '@tidegate/contract/config/oidc'
import { PAYMENT_SCHEMAS, paymentRecordId } from '@tidegate/contract/config/payment'
import { SECRET_MASK } from '@tidegate/contract/config/record'
import { identityConfig } from '@tidegate/contract/config/services'
import { SMS_CONFIGS } from '@tidegate/contract/config/sms'
import { agreementConfig, dnsApiRoot, flagsConfig, systemConfig, webConfig } from '@tidegate/contract/config/web'
import { wechatConfig } from '@tidegate/contract/config/wechat'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { EMPTY_LIST, USER } from '../../testing/fixtures.ts'
import { press, showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { loadPage } from '../registry.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })
const MAY = ['system:notify:test', 'system:api:test', 'account:role:list']
beforeEach(() => useSession.setState({ user: { ...USER.user, permissions: MAY } }))

const row = (id: number, paramKey: string, value: unknown, more: Partial<ConfigRow> = {}): ConfigRow => ({
  id,
  paramKey,
  remark: paramKey,
  paramValue: JSON.stringify(value),
  status: 0,
  weight: 1,
  version: 1,
  updateTime: '',
  updateBy: '',
  paramClass: '',
  switchable: true,
  secrets: [],
  editable: true,
  ...more,
})

const OVERVIEW: OutputOf<'system.overview'>['data'] = {
  version: '0.1.0',
  node: '20.0.0',
  uptime: 60,
  dataDir: '/var/lib/edge',
  timeZone: 'Asia/Shanghai',
  disk: { total: 1e11, free: 5e10, short: false, low: false },
  database: { version: '17.2', bytes: 1e7, outside: false },
  analytics: { ok: true, set: true, outside: false },
  jobs: { waiting: 0, failed: 2, workers: 1 },
  backup: null,
  uploads: { files: 3, bytes: 1000 },
  records: [{ paramKey: 'mail_config', paramClass: 'mail', remark: 'Outgoing mail', set: false, status: 0 }],
}
const INSTALL: OutputOf<'system.install'>['data'] = {
  publicUrl: 'https://edge.example.com',
  agentUrl: 'https://edge.example.com:8444',
  bind: '127.0.0.1',
  tokenTtl: 900,
}
const SETUP = { domain: 'edge.example.com', callbacks: ['https://edge.example.com/'], linked: 7 }

interface Screen {
  path: string
  titles: readonly [en: string, zh: string]
  rows?: readonly ConfigRow[]
  /** Opened first. */
  open?: string
  /** A member that is changed, by its label, and what is saved then. */
  edit?: { label: string; to: string; id: number; schema: z.ZodType; saved: object }
  /** Shown without any of that. */
  shows?: readonly string[]
}

const CLOUD = { sdkappId: '1400', secretid: 'id', secretkey: SECRET_MASK, signname: 'Edge' }
const ALIPAY = { appId: '2021', keyMode: 'key', privateKey: SECRET_MASK, alipayPublicKey: 'KEY' }

const SCREENS: readonly Screen[] = [
  {
    path: '/system/overview',
    titles: ['System overview', '系统概览'],
    shows: ['/var/lib/edge', 'Outgoing mail', 'Asia/Shanghai'],
  },
  {
    path: '/system/website',
    titles: ['Website', '网站设置'],
    rows: [
      row(1, 'web_config', webConfig.parse({})),
      row(2, 'feature_flags', flagsConfig.parse({})),
      row(3, 'system_config', systemConfig.parse({})),
      row(4, 'service_agreement', agreementConfig.parse({})),
      row(5, 'DNS_USER_API_ROOT_URI', dnsApiRoot.parse(undefined)),
    ],
    edit: { label: 'Website name', to: 'Edge Co', id: 1, schema: webConfig, saved: { basic: { webName: 'Edge Co' } } },
  },
  {
    path: '/system/payment',
    titles: ['Payment', '支付设置'],
    rows: [row(paymentRecordId('alipay'), 'pay_alipay', PAYMENT_SCHEMAS.alipay.parse(ALIPAY))],
    open: 'pay_alipay',
    edit: {
      label: 'APP ID',
      to: '2022',
      id: paymentRecordId('alipay'),
      schema: PAYMENT_SCHEMAS.alipay,
      saved: { appId: '2022', privateKey: SECRET_MASK },
    },
  },
  {
    path: '/system/verify',
    titles: ['Verification', '认证设置'],
    rows: [row(71, 'verify_config', verifyConfig.parse({}))],
    edit: {
      label: 'Price of a real-name verification (yuan)',
      to: '2.5',
      id: 71,
      schema: verifyConfig,
      saved: { realNamePrice: 250 },
    },
  },
  {
    path: '/system/mail',
    titles: ['Mail', '邮件设置'],
    rows: [
      row(
        20,
        'mail_config',
        mailConfig.parse({ host: 'smtp.qq.com', username: 'a@qq.com', password: SECRET_MASK, port: 465 }),
      ),
    ],
    edit: {
      label: "Sender's name",
      to: 'Edge',
      id: 20,
      schema: mailConfig,
      saved: { fromName: 'Edge', password: SECRET_MASK },
    },
  },
  {
    path: '/system/sms',
    titles: ['SMS', '短信设置'],
    rows: [row(26, 'sms_tencent', SMS_CONFIGS.tencent.parse(CLOUD), { status: 1 })],
    edit: {
      label: 'Signature',
      to: 'Shop',
      id: 26,
      schema: SMS_CONFIGS.tencent,
      saved: { signname: 'Shop', secretkey: SECRET_MASK },
    },
  },
  {
    path: '/system/wechat',
    titles: ['WeChat scanning', '微信扫码'],
    rows: [row(62, 'wechat_config', wechatConfig.parse({ appid: 'wx0123456789abcdef', appSecret: SECRET_MASK }))],
    edit: {
      label: 'AppID',
      to: 'wxfedcba9876543210',
      id: 62,
      schema: wechatConfig,
      saved: { appid: 'wxfedcba9876543210', appSecret: SECRET_MASK },
    },
    shows: ['edge.example.com', 'https://edge.example.com/', '7'],
  },
  {
    path: '/system/login',
    titles: ['Login and register', '登录与注册'],
    rows: [
      row(69, 'login_config', loginConfig.parse({})),
      row(70, 'register_config', registerConfig.parse({})),
      row(72, 'oidc_config', oidcConfig.parse({})),
    ],
    edit: {
      label: 'Issuer',
      to: 'https://id.example.com',
      id: 72,
      schema: oidcConfig,
      saved: { issuer: 'https://id.example.com' },
    },
  },
  {
    path: '/system/api',
    titles: ['API verification', '接口验证'],
    rows: [
      row(61, 'identity_api', identityConfig.parse({ provider: 'tencent', secretId: 'ID1', secretKey: SECRET_MASK })),
    ],
    edit: {
      label: 'SecretId',
      to: 'ID2',
      id: 61,
      schema: identityConfig,
      saved: { secretId: 'ID2', secretKey: SECRET_MASK },
    },
  },
  {
    path: '/system/install',
    titles: ['Node install', '节点安装'],
    shows: ['https://edge.example.com', 'https://edge.example.com:8444'],
  },
]

const show = async ({ path, rows = [] }: Screen) => {
  const { seen } = peer({
    'config.list': () => ({ data: { ...EMPTY_LIST.data, list: [...rows], totalCount: rows.length } }),
    'config.update': ({ id }) => ({ id: Number(id), version: 2 }),
    'system.overview': () => ({ data: OVERVIEW }),
    'system.install': () => ({ data: INSTALL }),
    'wechat.setup': () => ({ data: SETUP }),
    'role.list': () => EMPTY_LIST,
    'realName.test': () => ({ data: { verdict: 'unknown', answer: '-5 not on record' } }),
  })
  const { Page } = await loadPage(path)
  showPage(Page)
  return { seen }
}
const field = (label: string) => screen.findByLabelText<HTMLInputElement>((text) => text.replace(/^\*/, '') === label)

describe('the system settings', () => {
  it.each(SCREENS.map((one) => [one.path, one] as const))(
    'have a screen at %s that shows and saves what it is for [S2.38]',
    async (_path, one) => {
      const { seen } = await show(one)
      const [en, zh] = one.titles
      await screen.findByRole('heading', { level: 1, name: en })
      if (one.open !== undefined) fireEvent.click(await screen.findByText(new RegExp(one.open)))
      for (const text of one.shows ?? []) expect((await screen.findAllByText(text)).length, text).toBeGreaterThan(0)
      if (one.edit) {
        const { label, to, id, schema, saved } = one.edit
        const control = await field(label)
        fireEvent.change(control, { target: { value: to } })
        fireEvent.blur(control)
        const form = control.closest('form')
        await press('Save', () => form)
        await screen.findByText('Configuration saved successfully')
        const call = seen.findLast((s) => s.id === 'config.update')
        expect(call?.input).toMatchObject({ id, version: 1 })
        expect(schema.parse(JSON.parse(String(call?.input.paramValue)))).toMatchObject(saved)
      }
      chooseLang('zh')
      await screen.findByRole('heading', { level: 1, name: zh })
    },
  )

  it('are these ten and no other in the menu’s order', () => {
    expect(SCREENS.map((one) => one.path.replace('/system/', ''))).toEqual([
      'overview',
      'website',
      'payment',
      'verify',
      'mail',
      'sms',
      'wechat',
      'login',
      'api',
      'install',
    ])
  })

  it('try the identity API with the form as it stands, and show what it said', async () => {
    const api = SCREENS.find((one) => one.path === '/system/api')
    if (api === undefined) throw new Error('no screen')
    const { seen } = await show(api)
    fireEvent.change(await field('Name'), { target: { value: '张三' } })
    fireEvent.change(await field('ID card number'), { target: { value: '110105194912310021' } })
    await press('Compare')
    await screen.findByText('ID card number format error')
    expect(seen.some((s) => s.id === 'realName.test')).toBe(false)
    fireEvent.change(await field('ID card number'), { target: { value: '11010519491231002x' } })
    await press('Compare')
    await screen.findByText('-5 not on record')
    await screen.findByText('The number is not on record: an administrator would review it')
    expect(seen.findLast((s) => s.id === 'realName.test')?.input).toMatchObject({
      realName: '张三',
      idCard: '11010519491231002X',
      config: { provider: 'tencent', secretId: 'ID1', secretKey: SECRET_MASK },
    })
  })

  it('show fields of one provider of the identity API at a time', async () => {
    const api = SCREENS.find((one) => one.path === '/system/api')
    if (api === undefined) throw new Error('no screen')
    await show({ ...api, rows: [row(61, 'identity_api', null, { version: 0 })] })
    await field('AccessKey ID')
    expect(screen.queryByLabelText(/AppCode/)).toBeNull()
    await press('Save')
    await waitFor(() => expect(screen.getAllByText('is required').length).toBeGreaterThanOrEqual(2))
  })
})
