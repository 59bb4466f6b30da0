// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/"}
import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { call } from '../shared/api/call.ts'
import { chooseLang } from '../shared/i18n.ts'
import { useSite } from '../shared/site-config.ts'
import { inBrowser } from '../testing/browser.ts'
import { INDEX } from '../testing/fixtures.ts'
import { showPage } from '../testing/page.tsx'
import { peer, Refusal } from '../testing/peer.ts'
import { ReadOnlyBanner } from './ReadOnlyBanner.tsx'
import './texts.ts'

inBrowser()
afterEach(() => void vi.useRealTimers())

const TEXT = 'You can look at everything; changes are not possible for now.'
const shown = () => document.body.textContent?.includes(TEXT) === true

it('tells customers from the start that nothing can be changed, and goes when that is over', async () => {
  await chooseLang('en')
  let customersReadOnly = true
  peer({ 'common.index': () => ({ ...INDEX, customersReadOnly }) })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await useSite.getState().read()
  showPage(ReadOnlyBanner)
  expect(shown()).toBe(true)
  customersReadOnly = false
  vi.advanceTimersByTime(30_000)
  await waitFor(() => expect(shown()).toBe(false))
})

it('tells it with the first change that is refused for that, in the language of the customer', async () => {
  await chooseLang('zh')
  peer({
    'common.index': () => INDEX,
    'push.site': () => new Refusal(503, { error: 'customers_read_only', msg: '系统维护中，暂时只能查看' }),
  })
  await useSite.getState().read()
  showPage(ReadOnlyBanner)
  expect(document.body.textContent).toBe('')
  await expect(call('push.site', { id: 1 })).rejects.toThrow('系统维护中，暂时只能查看')
  await screen.findByText('可以查看全部内容，暂时不能修改。', { exact: false })
})
