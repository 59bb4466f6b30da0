// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { CHART_RANGES } from '@tidegate/contract/enums'
import { REFRESH_INTERVALS } from '@tidegate/ui/dates'
import { describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { queryClient } from '../../shared/query.ts'
import { useSession } from '../../shell/session.ts'
import { ThemeProvider } from '../../shell/ThemeProvider.tsx'
import { inBrowser } from '../../testing/browser.ts'
import { MENU } from '../../testing/fixtures.ts'
import { showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { polled } from '../../testing/polled.ts'
import type { ChartData, StateData } from './api.ts'
import { Page } from './OverviewPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })
// jsdom has nothing to draw on.
vi.mock('echarts/core', () => ({
  use: () => {},
  init: () => ({ setOption: () => {}, resize: () => {}, dispose: () => {} }),
}))

const NONE = { hits: 0, bytesOut: 0, bytesOrigin: 0, s2xx: 0, s3xx: 0, s4xx: 0, s5xx: 0, blocked: 0 }
const figures = (requests: number) => ({ ...NONE, requests })
const STEP = 60
/** Bytes of a minute at so many bits a second. */
const minute = (bps: number) => (bps * STEP) / 8
const POINT = { ...figures(10), t: 1_795_000_000, bytesOut: minute(38_420_000_000), bytesOrigin: minute(1_500) }
const CHART: ChartData = {
  range: 'today',
  from: '2026-11-20T16:00:00.000Z',
  to: '2026-11-20T17:00:00.000Z',
  step: STEP,
  total: { ...figures(128_400_000), bytesOut: 513_100_000_000, blocked: 99_999 },
  previous: figures(0),
  bandwidth: { now: 38_420_000_000, peak: 40_000_000_000, p95: 999 },
  points: [POINT, { ...POINT, t: POINT.t + STEP }],
  topSites: [{ siteId: 1, domain: 'a.example', requests: 1_284_000, bytesOut: 1000, hits: 0 }],
}
const STATE: StateData = {
  nodes: { online: 1, total: 1 },
  sites: { enabled: 1, total: 1 },
  pushes: { pending: 0, refused: 0 },
  certificatesExpiring: 0,
  dataAge: 1,
  disk: { total: 2, free: 1, short: false, low: false },
  checklist: [],
  attention: [],
}
const answers = { 'overview.chart': () => ({ data: CHART }), 'overview.state': () => ({ data: STATE }) }

const showAt = (path = '/home/overview') => {
  showPage(Page, path, ThemeProvider)
}
const strip = () => [...document.querySelectorAll('.tg-figure')].map((f) => f.textContent?.replace(/\s+/g, ' ').trim())
const text = () => document.body.textContent ?? ''

describe('the overview', () => {
  it.each([
    ['zh', ['1.284 亿', '38.42 Gbps', '513.1 GB', '99,999'], '95th 999 bps', '128.4 万'],
    ['en', ['128.4 M', '38.42 Gbps', '513.1 GB', '99,999'], '95th 999 bps', '1.284 M'],
  ] as const)(
    'shows rates by 1000 (bps to Gbps), and counts by 10,000 to whoever reads Chinese (%s) [S9.9]',
    async (lang, shown, p95, top) => {
      chooseLang(lang)
      peer(answers)
      showAt()
      await waitFor(() => expect(strip()).toEqual(expect.arrayContaining([...shown])))
      expect(text()).toContain(p95)
      expect(await screen.findByText(top)).toBeTruthy()
      for (const button of await screen.findAllByText(lang === 'zh' ? '查看数据表' : 'Show as table'))
        fireEvent.click(button)
      await waitFor(() => expect(text()).toContain('1.5 Kbps'))
    },
  )

  it('reads the span that is chosen, each of the five, and keeps it in the address', async () => {
    const { seen } = peer(answers)
    showAt()
    const names = { '1h': '1 hour', '6h': '6 hours', today: 'Today', '7d': '7 days', '30d': '30 days' }
    for (const range of CHART_RANGES) {
      fireEvent.click(await screen.findByText(names[range]))
      await waitFor(() => expect(seen.findLast((s) => s.id === 'overview.chart')?.input.range).toBe(range))
    }
  })

  it.each(REFRESH_INTERVALS.map((ms, i) => [ms, ['5 s', '1 min', '5 min', '1 h', '1 d'][i] ?? ''] as const))(
    'reads anew every %i ms when %s is chosen, and not while it is paused',
    async (ms, name) => {
      const { seen } = peer(answers)
      const asked = () => seen.filter((s) => s.id === 'overview.chart').length
      showAt()
      await screen.findByText('a.example')
      fireEvent.mouseDown(screen.getByRole('combobox', { name: 'Refresh every' }))
      fireEvent.click(await screen.findByText(name, { selector: '.ant-select-item-option-content' }))
      const before = asked()
      await polled(
        () => void queryClient.refetchQueries({ queryKey: ['overview', 'chart'] }),
        () => asked() - before,
        ms,
      )
      fireEvent.click(screen.getByRole('button', { name: 'Pause refreshing' }))
      const paused = asked()
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      await vi.advanceTimersByTimeAsync(2 * ms)
      vi.useRealTimers()
      expect(asked()).toBe(paused)
    },
  )

  it.each([
    ['zh', ['1 张在用的证书已过期', '2 张在用的证书即将到期']],
    ['en', ['Certificates in use that have expired: 1', 'Certificates in use that expire soon: 2']],
  ] as const)('leads (%s) from certificates that end to the sites that use them', async (lang, words) => {
    chooseLang(lang)
    useSession.setState({ menu: MENU })
    const path = '/cdn/site/list?certDays=14'
    const at = { path, time: '2026-11-21T00:00:00.000Z' }
    const attention: StateData['attention'] = [
      { ...at, level: 'bad', key: 'cert_expired', params: { count: 1 } },
      { ...at, level: 'warn', key: 'cert_expiring', params: { count: 2 } },
    ]
    peer({ ...answers, 'overview.state': () => ({ data: { ...STATE, attention } }) })
    showAt()
    const shown = () =>
      [...document.querySelectorAll('.overview-attention a')].map((a) => [a.textContent, a.getAttribute('href')])
    await waitFor(() => expect(shown()).toEqual(words.map((one) => [one, path])))
  })
})
