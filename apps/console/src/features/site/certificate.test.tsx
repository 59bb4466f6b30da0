// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { LANGUAGES } from '@tidegate/contract/enums'
import { type SiteInfo, siteSettings } from '@tidegate/contract/operations/site'
import { describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { inBrowser } from '../../testing/browser.ts'
import { certOf } from '../../testing/certs.ts'
import { EMPTY_LIST } from '../../testing/fixtures.ts'
import { showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { HttpsTab } from './HttpsTab.tsx'
import { Page } from './SiteListPage.tsx'
import './texts.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })

describe('the certificate of a site', () => {
  const CASES = LANGUAGES.flatMap((lang) => [
    [lang, 1, lang === 'zh' ? '剩余 12 天' : '12 days left'] as const,
    [lang, 2, lang === 'zh' ? '已过期' : 'Expired'] as const,
    [lang, null, ''] as const,
  ])
  it.each(CASES)('says beside it when it ends (%s, %s)', async (lang, certId, words) => {
    chooseLang(lang)
    const list = [certOf(1, 12.5), certOf(2, -3)]
    peer({ 'cert.list': () => ({ data: { ...EMPTY_LIST.data, list, totalCount: 2 } }) })
    const props = { site: {} as SiteInfo, errors: [], onSettings: () => {}, onForm: () => {} }
    showPage(() => <HttpsTab {...props} form={{} as never} settings={siteSettings.parse({ certId })} />)
    const state = () => document.querySelector('.tg-status')?.textContent ?? ''
    if (certId !== null) await waitFor(() => expect(document.body.textContent).toContain(`c${certId}.example`))
    await waitFor(() => expect(state()).toBe(words))
  })
})

describe('the list of sites', () => {
  it('shows those whose certificate ends within the days of the address, or of the filter', async () => {
    const { seen } = peer({ 'site.list': () => EMPTY_LIST })
    const asked = () => seen.findLast((one) => one.id === 'site.list')?.input.certDays
    showPage(Page, '/cdn/site/list?certDays=14')
    await screen.findByText('Certificate ends within 14 days')
    await waitFor(() => expect(asked()).toBe(14))
    const choose = async (text: string) => {
      fireEvent.mouseDown(screen.getByRole('combobox', { name: 'Certificate' }))
      fireEvent.click(await screen.findByText(text, { selector: '.ant-select-item-option-content' }))
    }
    await choose('Expired')
    await waitFor(() => expect(asked()).toBe(0))
    await choose('Any certificate')
    await waitFor(() => expect(asked()).toBeUndefined())
  })
})
