// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { NOTIFY_CHANNELS, notifyConfig } from '@tidegate/contract/config/notify'
import type { DeliveryRow, TemplateRow } from '@tidegate/contract/operations/notify'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { USER } from '../../testing/fixtures.ts'
import { press, showPage, tableRow } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { Page } from './NotifyPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => useSession.setState({ user: USER.user }))

const ready = Object.fromEntries(NOTIFY_CHANNELS.map((one) => [one, one === 'message'])) as Record<
  (typeof NOTIFY_CHANNELS)[number],
  boolean
>
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })

describe('the channels of notices', () => {
  const show = () => {
    const { seen } = peer({
      'notify.channelInfo': () => ({ data: notifyConfig.parse({}), ready }),
      'notify.channelSave': () => ({}),
      'notify.testTelegram': () => ({ data: { ok: false, fault: 'auth', answer: '401 Unauthorized' } }),
      'notify.testWebhook': () => ({ data: { ok: true, fault: 'none', answer: '204' } }),
    })
    showPage(Page, '/system/notify?tab=channels')
    return (id: string) => seen.filter((one) => one.id === id)
  }

  const WRONG = [
    ['Mailbox of the staff', '运营通知邮箱', 'nobody', 'is not an e-mail address', '邮箱格式错误'],
    [
      'Address of the API',
      '接口地址',
      'ftp://x',
      'must begin with http:// or https://',
      '必须以 http:// 或 https:// 开头',
    ],
    [
      'Receiver',
      '接收地址',
      'hooks.example.com',
      'must begin with http:// or https://',
      '必须以 http:// 或 https:// 开头',
    ],
    ['Chat id', '会话编号', 'not a chat', 'is not in the right form', '格式不正确'],
  ] as const
  it.each(WRONG)('says at %s what the server would say, in both languages, and sends nothing', async (...row) => {
    const [en, zh, text, enText, zhText] = row
    const sent = show()
    await type(en, text)
    await screen.findByText(enText)
    chooseLang('zh')
    await type(zh, `${text} `)
    await type(zh, text)
    await screen.findByText(zhText)
    await press('保存')
    await waitFor(() => expect(document.querySelector('.ant-form-item-has-error')).not.toBeNull())
    expect(sent('notify.channelSave')).toEqual([])
  })

  it('tests the form as it stands, and only what is right', async () => {
    const sent = show()
    await type('Token of the bot', 'no token')
    await press('Send a test message')
    await waitFor(() => expect(document.querySelector('.ant-form-item-has-error')).not.toBeNull())
    expect(sent('notify.testTelegram')).toEqual([])
    await type('Token of the bot', '1:bot-Token')
    await press('Send a test message')
    await screen.findByText('401 Unauthorized')
    expect(sent('notify.testTelegram')[0]?.input).toMatchObject({ config: { token: '1:bot-Token' } })
    await type('Receiver', 'https://hooks.example.com/in')
    await press('Send a test call')
    await screen.findByText('The test notice was sent')
    await press('Save')
    await waitFor(() =>
      expect(sent('notify.channelSave')[0]?.input).toMatchObject({
        telegram: { token: '1:bot-Token' },
        webhook: { url: 'https://hooks.example.com/in' },
      }),
    )
  })
})

const template = (more: Partial<TemplateRow> = {}): TemplateRow => ({
  ...{ event: 'meal_out', channel: 'mail', lang: 'en', title: { zh: '套餐用尽', en: 'Plan used up' } },
  ...{ subject: 'Plan {plan} is used up', body: 'Hello {name}', own: true },
  variables: ['name', 'plan'].map((name) => ({ name, title: { zh: name, en: name }, sample: name.toUpperCase() })),
  ...more,
})

describe('the texts of notices', () => {
  it('are previewed as they are typed, name their variables, and refuse another one before the server does', async () => {
    const { seen } = peer({
      'notify.templateList': () => ({ data: [template(), template({ lang: 'zh', subject: '套餐 {plan} 已用尽' })] }),
      'notify.templatePreview': ({ subject, body }) => ({
        data: { subject: String(subject).replace('{plan}', 'PLAN'), text: String(body), html: '' },
      }),
      'notify.templateSave': () => ({}),
    })
    const saves = () => seen.filter((one) => one.id === 'notify.templateSave')
    showPage(Page, '/system/notify?tab=templates')
    await tableRow('Plan used up')
    await press('Edit')
    await screen.findByText('Plan PLAN is used up')
    expect([...document.querySelectorAll('.notify-variables dt')].map((dt) => dt.textContent)).toEqual([
      '{name}',
      '{plan}',
    ])
    await type('Subject', 'Gone: {plan}')
    await screen.findByText('Gone: PLAN')
    await type('Text', 'Your {code}')
    await screen.findByText('there is no variable {code}')
    await press('Save')
    expect(saves()).toEqual([])
    await type('Text', 'Dear {name}')
    await press('Save')
    await waitFor(() =>
      expect(saves()[0]?.input).toEqual({
        ...{ event: 'meal_out', channel: 'mail', lang: 'en', subject: 'Gone: {plan}', body: 'Dear {name}' },
      }),
    )
  })
})

describe('the log of deliveries', () => {
  it("is asked for by what the address names, shows the other side's answer, and sends a failed one again", async () => {
    const row: DeliveryRow = {
      ...{ id: 7, createTime: '2026-11-20T10:00:00Z', event: 'meal_out', channel: 'mail', to: 'a@example.com' },
      ...{ state: 'failed', fault: 'refused', attempts: 1, subject: 'Gone', answer: '550 no such mailbox' },
      ...{ nextTime: '', finishTime: '2026-11-20T10:00:01Z' },
    }
    const { seen } = peer({
      'notify.log': () => ({ data: { list: [row], totalCount: 1, pageSize: 20, currPage: 1, totalPage: 1 } }),
      'notify.resend': () => ({}),
    })
    showPage(Page, '/system/notify?event=meal_out&channel=mail&state=failed&key=mailbox')
    await screen.findByText('550 no such mailbox')
    expect(seen.find((one) => one.id === 'notify.log')?.input).toMatchObject({
      ...{ event: 'meal_out', channel: 'mail', state: 'failed', key: 'mailbox' },
    })
    await press('Send again')
    await waitFor(() => expect(seen.find((one) => one.id === 'notify.resend')?.input).toEqual({ id: 7 }))
  })
})
