// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import type { GapRow, ReconcileReport } from '@tidegate/contract/operations/usage'
import { describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { ThemeProvider } from '../../shell/ThemeProvider.tsx'
import { inBrowser } from '../../testing/browser.ts'
import { showPage } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import { Page } from './LogPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })

const REPORT: ReconcileReport = {
  ...{ id: 12, state: 'done', startTime: '2026-11-21T20:20:00.000Z', finishTime: '2026-11-21T20:21:00.000Z' },
  ...{ firstDay: '2026-11-19', until: '2026-11-21T20:00:00.000Z', zone: 'Asia/Shanghai', repair: false },
  ...{ tolerance: 10, compared: 4800, gaps: 7, repaired: 1, open: 5, skipped: 0 },
  ...{ raw: 'compared', missing: 1200, known: 30 },
}
const GAP: GapRow = {
  ...{ id: 1, kind: 'hour', time: '2026-11-20T10:00:00.000Z', siteId: 7, domain: 'a.example', difference: 10 },
  wanted: { requests: 10, hits: 4, bytes_out: 5000 },
  found: { requests: 0, hits: 4, bytes_out: 0 },
  state: 'open',
}
const GAPS: GapRow[] = [
  GAP,
  { ...GAP, id: 2, kind: 'total', siteId: null, domain: '', state: 'doubtful' },
  {
    ...GAP,
    id: 3,
    kind: 'raw',
    siteId: 9,
    domain: '',
    state: 'known',
    wanted: { requests: 8 },
    found: { requests: 3 },
  },
  { ...GAP, id: 4, kind: 'raw', siteId: 0, domain: '', state: 'open' },
  { ...GAP, id: 5, kind: 'day', state: 'repaired' },
]
const page = <Row,>(list: Row[]) => ({
  data: { list, totalCount: list.length, pageSize: 50, currPage: 1, totalPage: 1 },
})
const RUN = {
  ...{ id: 3, taskId: 1, kind: 'usage.reconcile', title: { zh: '用量对账', en: 'Usage reconciliation' } },
  ...{ description: '', state: 'done' as const, trigger: 'clock' as const, by: '', attempt: 1, progress: null },
  ...{ dueTime: '2026-11-21T20:20:00.000Z', startTime: '2026-11-21T20:20:00.000Z' },
  ...{ finishTime: '2026-11-21T20:21:00.000Z', duration: 60_000, error: '' },
}
const answers = (report: Partial<ReconcileReport> = {}) => ({
  'schedule.logList': () => page([RUN]),
  'schedule.logInfo': () => ({ data: { ...RUN, params: {}, result: { report: 12 }, output: '', runner: 'host 1' } }),
  'usage.reconcileInfo': () => ({ data: { ...REPORT, ...report } }),
  'usage.gapList': () => page(GAPS),
})
const showAt = (path: string) => showPage(Page, path, ThemeProvider)
const items = () => [...document.querySelectorAll('.schedule-gaps > li')].map((li) => li.textContent ?? '')

describe('the report of a reconciliation', () => {
  it.each([
    ['en', ['a.example', 'All sites', 'Site 9 (deleted)', 'Requests for no site'], 'The greatest 5 of 7 are kept.'],
    ['zh', ['a.example', '全部网站', '网站 9（已删除）', '不属于任何网站的请求'], '共 7 处，保留最大的 5 处。'],
  ] as const)('names what differs, where, and by how much (%s)', async (lang, whose, kept) => {
    chooseLang(lang)
    const { seen } = peer(answers())
    showAt('/system/schedule/log?kind=usage.reconcile&report=12')
    await screen.findByText(kept)
    expect(seen.find((s) => s.id === 'schedule.logList')?.input.kind).toBe('usage.reconcile')
    for (const [i, name] of whose.entries()) expect(items()[i]).toContain(name)
    // Figures that agree are left out.
    const first = [...(document.querySelector('.schedule-figures tbody')?.querySelectorAll('tr') ?? [])]
    expect(first.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
      [lang === 'en' ? 'Requests' : '请求数', '10', '0'],
      [lang === 'en' ? 'Bytes sent' : '发送流量', '5 KB', '0 B'],
    ])
    const states = [...document.querySelectorAll('.schedule-gaps .tg-status')].map((dot) => dot.textContent)
    expect(new Set(states).size).toBe(4)
  })

  it('stands in the details of its run, and says when nothing differs', async () => {
    chooseLang('en')
    const { seen } = peer(answers({ gaps: 0, open: 0, raw: 'away' }))
    showAt('/system/schedule/log')
    fireEvent.click(await screen.findByText('Details'))
    expect(await screen.findByText('Nothing differs.')).toBeTruthy()
    expect(document.body.textContent).toContain('Not compared: the analytics store did not answer')
    expect(seen.find((s) => s.id === 'usage.reconcileInfo')?.input.id).toBe('12')
  })

  it('says so when the report is gone', async () => {
    chooseLang('en')
    peer({ ...answers(), 'usage.reconcileInfo': () => new Refusal(404, { error: 'not_found', msg: 'Not found' }) })
    showAt('/system/schedule/log?report=5')
    await waitFor(() => expect(document.body.textContent).toContain('Not found'))
  })
})
