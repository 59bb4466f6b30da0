// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { PROBE_KEEP } from '@tidegate/contract/monitor'
import type { OutputOf } from '@tidegate/contract/operations/index'
import type { StableRow } from '@tidegate/contract/operations/monitor'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { EMPTY_LIST, USER } from '../../testing/fixtures.ts'
import { showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { barsOf, newestOf } from './rounds.ts'
import { Page } from './StatusPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => useSession.setState({ user: USER.user }))

const NOW = Date.now() - (Date.now() % 10_000)
const vote = (id: number, name: string, fails: boolean) => ({
  ...{ id, name, kind: 'outside' as const, failPercent: fails ? 100 : 0, counts: true, fails },
  lastAt: new Date(NOW).toISOString(),
})
const node = (nodeId: number, more: Partial<StableRow> = {}): StableRow => ({
  nodeId,
  name: `edge-${nodeId}`,
  groupId: 1,
  groupName: 'asia',
  address: `203.0.113.${nodeId}`,
  probed: true,
  health: 'ok',
  since: new Date(NOW - 60_000).toISOString(),
  leaves: false,
  failPercent: 0,
  votes: { fails: 0, total: 3 },
  monitors: [vote(1, 'tokyo', false), vote(2, 'oslo', false), vote(3, 'lima', false)],
  points: [
    { t: NOW - 20_000, checks: 6, fails: 0 },
    { t: NOW - 10_000, checks: 6, fails: 2 },
    { t: NOW, checks: 6, fails: 6 },
  ],
  ...more,
})
const ROWS = [
  node(1, {
    health: 'failing',
    leaves: true,
    failPercent: 91.7,
    votes: { fails: 2, total: 3 },
    monitors: [vote(1, 'tokyo', true), vote(2, 'oslo', true), vote(3, 'lima', false)],
  }),
  node(2),
  node(3, { health: 'failing', groupId: 2, groupName: 'europe', failPercent: 80 }),
  node(4, { health: 'unknown', failPercent: null, votes: { fails: 0, total: 0 }, monitors: [], points: [], since: '' }),
  node(5, {
    health: 'unknown',
    address: '',
    probed: false,
    failPercent: null,
    votes: { fails: 0, total: 0 },
    points: [],
  }),
]
const stable = (list: StableRow[] = ROWS): OutputOf<'dispatch.stable'> => ({
  data: {
    ...EMPTY_LIST.data,
    list,
    totalCount: list.length,
    groups: [
      { id: 1, name: 'asia', nodes: 4, ok: 1, failing: 1, unknown: 2 },
      { id: 2, name: 'europe', nodes: 1, ok: 0, failing: 1, unknown: 0 },
    ],
    monitors: [
      { id: 1, name: 'tokyo', kind: 'outside', lastAt: new Date(NOW).toISOString(), reports: true, nodes: 3 },
      {
        id: 9,
        name: 'edge-9',
        kind: 'agent',
        lastAt: new Date(NOW - 3_600_000).toISOString(),
        reports: false,
        nodes: 0,
      },
    ],
    rule: { ports: [80, 443], frequency: 10, failPercent: 80 },
  },
})
const HISTORY: OutputOf<'dispatch.history'> = {
  data: {
    nodeId: 1,
    name: 'edge-1',
    address: '203.0.113.1',
    results: [
      { monitor: 'tokyo', port: 443, at: new Date(NOW).toISOString(), ms: 3000, error: 'refused' },
      { monitor: 'lima', port: 80, at: new Date(NOW - 500).toISOString(), ms: 31, error: '' },
    ],
    changes: [
      {
        at: new Date(NOW).toISOString(),
        failing: true,
        failPercent: 91.7,
        votes: { fails: 2, total: 3 },
        monitors: ['tokyo', 'oslo'],
      },
    ],
  },
}

const open = (answer = stable()) => {
  const { seen } = peer({ 'dispatch.stable': () => answer, 'dispatch.history': () => HISTORY })
  showPage(Page)
  const asked = () => seen.filter((s) => s.id === 'dispatch.stable').at(-1)?.input
  return { seen, asked }
}
const rowOf = async (name: string) => {
  const row = (await screen.findByRole('button', { name })).closest('tr')
  if (row === null) throw new Error(`${name} stands in no row`)
  return row
}

describe('the dispatch status', () => {
  it.each([
    [
      'en',
      ['Failing', 'would leave', '91.7%', 'of 80%', '2 of 3', 'tokyo, oslo'],
      'stays: no other of its group is well',
      'no monitor reports',
      'no address to probe',
      'takes no node out',
    ],
    [
      'zh',
      ['异常', '应摘除', '91.7%', '阈值 80%', '2 / 3', 'tokyo, oslo'],
      '保留：组内没有其他正常节点',
      '没有监控端上报',
      '没有可检测的地址',
      '不会摘除节点',
    ],
  ] as const)(
    'says of each node what the monitors say, and that nothing is done about it (%s)',
    async (lang, first, stays, silent, nowhere, honest) => {
      chooseLang(lang)
      open()
      const row = await rowOf('edge-1')
      for (const text of first) expect(within(row).getByText(text)).toBeTruthy()
      expect(within(await rowOf('edge-3')).getByText(stays)).toBeTruthy()
      expect(within(await rowOf('edge-4')).getByText(silent)).toBeTruthy()
      expect(within(await rowOf('edge-5')).getByText(nowhere)).toBeTruthy()
      expect(document.body.textContent).toContain(honest)
    },
  )

  it('draws the rounds of checks, and says them in words', async () => {
    open()
    const picture = within(await rowOf('edge-1')).getByRole('img', { name: 'Rounds of checks: 3, with a failure: 2' })
    expect([...picture.querySelectorAll('rect')].map((bar) => bar.getAttribute('class'))).toEqual([
      'dispatch-good',
      'dispatch-warn',
      'dispatch-bad',
    ])
    expect(within(await rowOf('edge-4')).getByText('No checks yet')).toBeTruthy()
  })

  it('shows groups and monitors; a group narrows the nodes, and is let go again', async () => {
    const { asked } = open()
    const groups = await screen.findByRole('region', { name: 'Service groups' })
    expect([...groups.querySelectorAll('tbody tr')].map((row) => row.textContent)).toEqual(['asia4112', 'europe1010'])
    const monitors = screen.getByRole('region', { name: 'Monitors' })
    expect([...monitors.querySelectorAll('li')].map((li) => li.textContent)).toEqual([
      expect.stringMatching(/^tokyoOutsideProbes nodes: 3/),
      expect.stringMatching(/^edge-9Node agentsilent/),
    ])
    fireEvent.click(within(groups).getByRole('button', { name: 'europe' }))
    await waitFor(() => expect(asked()).toMatchObject({ groupId: 2 }))
    fireEvent.click(await screen.findByRole('button', { name: 'All groups' }))
    await waitFor(() => expect(asked()).not.toHaveProperty('groupId'))
  })

  it('opens the evidence of a node: its changes and the newest results, failures in words', async () => {
    const { seen } = open()
    fireEvent.click(await screen.findByRole('button', { name: 'edge-1' }))
    await screen.findByText('Began to fail')
    expect(seen.at(-1)?.input).toMatchObject({ id: 1 })
    expect(screen.getByText('91.7% failed, 2 of 3 monitors: tokyo, oslo')).toBeTruthy()
    expect(screen.getByText('Connection refused')).toBeTruthy()
    expect(screen.getByText('31 ms')).toBeTruthy()
  })

  it('says what is missing where there is no node and no monitor', async () => {
    const none = stable([])
    open({ data: { ...none.data, monitors: [] } })
    await screen.findByText('No node is enrolled yet.')
    expect(screen.getByText('No monitor has reported in the last day.')).toBeTruthy()
  })
})

describe('rounds of checks', () => {
  it('stand where their time is: gaps stay gaps, and what is too old has no place', () => {
    const point = (back: number, fails = 0) => ({ t: NOW - back * 10_000, checks: 2, fails })
    const bars = barsOf([point(PROBE_KEEP), point(PROBE_KEEP - 1), point(3, 1), point(0, 2)], 10_000, NOW)
    expect(bars.map((bar) => [bar.at, bar.tone])).toEqual([
      [0, 'good'],
      [PROBE_KEEP - 4, 'warn'],
      [PROBE_KEEP - 1, 'bad'],
    ])
    expect(newestOf([node(1), node(2, { points: [] })])).toBe(NOW)
    expect(newestOf([])).toBe(0)
  })
})
