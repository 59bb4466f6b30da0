// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { type PaymentMethod, paymentRecordId } from '@tidegate/contract/config/payment'
import { SMS_PROVIDERS } from '@tidegate/contract/config/sms'
import { PAYMENT_METHODS } from '@tidegate/contract/enums'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import type { ComponentType } from 'react'
import { describe, expect, it } from 'vitest'
import { showPage } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import { Page as MailPage } from './MailPage.tsx'
import { Page as PaymentPage } from './PaymentPage.tsx'
import { Page as SmsPage } from './SmsPage.tsx'
import { asOperator, listed, row } from './testing.tsx'

asOperator()

const METHODS = Object.keys(PAYMENT_METHODS) as PaymentMethod[]
const smsRows = SMS_PROVIDERS.map(({ recordId, type }) => row(recordId, `sms_${type}`, {}))
const payRows = METHODS.map((method) => row(paymentRecordId(method), `pay_${method}`, {}))

/** Each record that is enabled and disabled on a screen, and how one comes to it there. */
type Switch = [key: string, Page: ComponentType, rows: ConfigRow[], open: () => Promise<void>]
const SWITCHES: Switch[] = [
  ['mail_config', MailPage, [row(20, 'mail_config', {})], async () => undefined],
  ...SMS_PROVIDERS.map(
    ({ type }, i): Switch => [
      `sms_${type}`,
      SmsPage,
      smsRows,
      async () => void fireEvent.click((await screen.findAllByRole('radio'))[i] as HTMLElement),
    ],
  ),
  ...METHODS.map(
    (method): Switch => [
      `pay_${method}`,
      PaymentPage,
      payRows,
      async () => void fireEvent.click(await screen.findByText(`${PAYMENT_METHODS[method]} · pay_${method}`)),
    ],
  ),
]

describe('a record', () => {
  it.each(SWITCHES)(
    '%s is enabled and disabled by its switch, which says which it is [S4.18]',
    async (key, Page, rows, open) => {
      let status = 0
      let refused = false
      const { seen } = peer({
        'config.list': () => listed(rows.map((one) => (one.paramKey === key ? { ...one, status } : one))),
        'config.setStatus': (input) => {
          if (refused) return new Refusal(409, { error: 'config_incomplete', msg: 'Set it first' })
          status = Number(input.status)
          return { status }
        },
      })
      showPage(Page)
      await open()
      const name = `Enable ${key}`
      const state = async () => {
        const button = await screen.findByRole('switch', { name })
        return [button.getAttribute('aria-checked'), button.parentElement?.textContent?.trim()]
      }
      const flip = async () => fireEvent.click(await screen.findByRole('switch', { name }))
      expect(await state()).toEqual(['false', 'Disabled'])
      await flip()
      await waitFor(async () => expect(await state()).toEqual(['true', 'Enabled']))
      await flip()
      await waitFor(async () => expect(await state()).toEqual(['false', 'Disabled']))
      refused = true
      await flip()
      await screen.findByText(/Set it first/)
      expect(await state()).toEqual(['false', 'Disabled'])
      const asked = seen.filter((one) => one.id === 'config.setStatus').map(({ input }) => [input.key, input.status])
      expect(asked.map(([one, value]) => [one, Number(value)])).toEqual([
        [key, 1],
        [key, 0],
        [key, 1],
      ])
    },
  )
})
