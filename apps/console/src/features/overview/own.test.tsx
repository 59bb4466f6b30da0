// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/"}
import { configure, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { inBrowser } from '../../testing/browser.ts'
import { showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { OwnOverview } from './OwnOverview.tsx'
import './texts.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })

const show = (expiring: number, expired: number) => {
  const sites = { enabled: 1, total: 1 }
  peer({
    'overview.own': () => ({
      data: {
        sites,
        certificates: { total: 9, expiring, expired },
        point: null,
        checklist: [{ key: 'site', done: true }],
      },
    }),
  })
  showPage(OwnOverview)
}
const lines = () => [...document.querySelectorAll('.ant-alert a')].map((a) => [a.textContent, a.getAttribute('href')])

describe('a customer’s overview', () => {
  it.each([
    ['zh', '1 张在用的证书已过期', '2 张在用的证书即将到期'],
    ['en', 'Certificates in use that have expired: 1', 'Certificates in use that expire soon: 2'],
  ] as const)(
    'says (%s) how many certificates have ended and how many end soon, with the way to their sites',
    async (lang, expired, soon) => {
      chooseLang(lang)
      show(3, 1)
      const way = '/cdn/site/list?certDays=14'
      await waitFor(() =>
        expect(lines()).toEqual([
          [expired, way],
          [soon, way],
        ]),
      )
    },
  )

  it('says nothing of certificates that are in order', async () => {
    show(0, 0)
    await waitFor(() => expect(document.querySelector('.overview-steps, .tg-panel')).toBeTruthy())
    expect(lines()).toEqual([])
  })
})
