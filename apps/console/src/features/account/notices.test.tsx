// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { NOTIFY_CHANNELS } from '@tidegate/contract/config/notify'
import { describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { inBrowser } from '../../testing/browser.ts'
import { press, showPage } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import type { Preferences } from './api.ts'
import { Notices } from './Notices.tsx'
import './texts.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })

const NO_SMS = NOTIFY_CHANNELS.filter((one) => one !== 'sms')
const PREFERENCES: Preferences = {
  events: [
    {
      ...{ event: 'meal_expire', title: { zh: '套餐到期', en: 'Plan expires' } },
      ...{ channels: ['message', 'mail'], possible: [...NOTIFY_CHANNELS] },
    },
    { event: 'login_new', title: { zh: '新登录', en: 'New login' }, channels: ['mail'], possible: NO_SMS },
  ],
  bound: { mail: true, sms: false },
  ...{ telegram: '', webhook: '', webhookSecret: '' },
}

const show = (save: () => Refusal | Record<string, never> = () => ({})) => {
  const { seen } = peer({ 'notify.preference': () => ({ data: PREFERENCES }), 'notify.preferenceSave': save })
  showPage(Notices)
  return () => seen.filter((one) => one.id === 'notify.preferenceSave').map((one) => one.input)
}
const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name })
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })

describe('a customer’s notices', () => {
  it('are chosen by event and channel, as far as the event has the channel; channels without an address say so', async () => {
    const saved = show()
    expect((await box('Plan expires: Mail')).checked).toBe(true)
    expect((await box('Plan expires: SMS')).checked).toBe(false)
    expect(screen.queryByRole('checkbox', { name: 'New login: SMS' })).toBeNull()
    const lacking = () =>
      [...document.querySelectorAll('thead th')].filter((th) => th.querySelector('small')).map((th) => th.textContent)
    expect(lacking()).toEqual(['SMSnot set', 'Telegramnot set', 'Webhooknot set'])
    await type('Webhook address', 'https://hooks.example.com/a')
    await waitFor(() => expect(lacking()).toEqual(['SMSnot set', 'Telegramnot set']))
    fireEvent.click(await box('Plan expires: SMS'))
    fireEvent.click(await box('New login: Mail'))
    await press('Save')
    await waitFor(() =>
      expect(saved()).toEqual([
        {
          events: [
            { event: 'meal_expire', channels: ['message', 'mail', 'sms'] },
            { event: 'login_new', channels: [] },
          ],
          ...{ telegram: '', webhook: 'https://hooks.example.com/a', webhookSecret: '' },
        },
      ]),
    )
    await screen.findByText('Configuration saved successfully')
  })

  it('say in both languages what is wrong with a receiver, before the server does and when it does', async () => {
    chooseLang('zh')
    const refused = { error: 'invalid_input', msg: 'x', errors: [{ path: 'webhook', msg: '不允许内网或回环地址' }] }
    const saved = show(() => new Refusal(400, refused))
    await type('Telegram 私聊编号', '-100')
    await screen.findByText('请输入您与机器人私聊的数字编号')
    await type('Webhook 地址', 'hooks')
    await screen.findByText('必须以 http:// 或 https:// 开头')
    await press('保存')
    expect(saved()).toEqual([])
    await type('Telegram 私聊编号', '100')
    await type('Webhook 地址', 'http://10.1.2.3/')
    await press('保存')
    await screen.findByText('不允许内网或回环地址')
    expect(saved()).toHaveLength(1)
  })
})
