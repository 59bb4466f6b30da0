// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { USER } from '../../testing/fixtures.ts'
import { buttons, press, showPage } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import type { License } from './api.ts'
import { Page } from './LicensePage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => useSession.setState({ user: USER.user }))

const HERE = '7a2f6f0e-0b1e-4a55-9c0c-6a3f0f3b1f10'
const SIGNED: NonNullable<License['license']> = {
  id: 'T-1',
  holder: 'Harbour Ltd',
  supplier: 'Tide Supplies',
  contact: 'help@tide.example',
  issued: '2026-01-05',
  until: '2026-12-31',
  daysLeft: 200,
  installation: HERE,
  addedTime: '2026-03-01T00:00:00.000Z',
  addedBy: 'root',
}
const DATA: License = {
  state: 'community',
  license: null,
  suppliers: ['0123456789abcdef'],
  nodes: { used: 12, active: 11, limit: null },
  sites: { used: 1234, active: 1200, limit: null },
  customers: { used: 7, active: 6, limit: null },
  installation: { id: HERE, since: '2026-01-01T00:00:00.000Z' },
  product: {
    version: '9.8.7',
    commit: 'abcdef123456',
    built: '2026-02-01T00:00:00.000Z',
    node: 'v20.1.0',
    uptime: 93_784,
  },
  database: { version: '17.4', bytes: 52_428_800, outside: false },
  disk: { total: 100 * 1024 ** 3, free: 40 * 1024 ** 3, short: false, low: false },
}
const info = (more: Partial<License> = {}) => ({ 'license.info': () => ({ data: { ...DATA, ...more } }) })
const choose = (text: string, size = text.length) => {
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement
  const file = new File([text], 'tidegate.license')
  Object.defineProperty(file, 'size', { value: size })
  fireEvent.change(input, { target: { files: [file] } })
}
const text = () => document.body.textContent ?? ''

describe('the system license page', () => {
  it.each([
    [
      'en',
      [
        'Community license',
        'no limit',
        '1,234',
        '11 online',
        '9.8.7',
        'abcdef123456',
        '1 d 2 h',
        'PostgreSQL 17.4',
        'enough room',
      ],
    ],
    [
      'zh',
      [
        '社区授权',
        '无限制',
        '1,234',
        '11 个在线',
        '9.8.7',
        'abcdef123456',
        '1 天 2 小时',
        'PostgreSQL 17.4',
        '空间充足',
      ],
    ],
  ] as const)(
    'shows version, build, nodes and figures under the community license, in %s [S6.5]',
    async (lang, words) => {
      chooseLang(lang)
      peer(info())
      showPage(Page)
      await screen.findByText(HERE)
      for (const word of words) expect(text()).toContain(word)
    },
  )

  it('shows what was signed, its limits, and how far the installation is beyond them [S6.5]', async () => {
    peer(
      info({
        state: 'valid',
        license: SIGNED,
        nodes: { used: 12, active: 11, limit: 10 },
        sites: { used: 1234, active: 1, limit: 5000 },
      }),
    )
    showPage(Page)
    await screen.findByText('Harbour Ltd')
    for (const word of [
      'Valid',
      'Tide Supplies',
      'help@tide.example',
      'T-1',
      '2026-12-31',
      '200 days left',
      'this installation',
    ])
      expect(text()).toContain(word)
    const rows = [...document.querySelectorAll('.license-table tbody tr')].map((tr) => tr.textContent)
    expect(rows[0]).toMatch(/^Nodes12.*10.*2 more than agreed; nothing is switched off$/)
    expect(rows[1]).toMatch(/^Sites1,234.*5,000$/)
    expect(rows[2]).toMatch(/^Customers7.*no limit$/)
  })

  it.each([
    ['expired', 'Expired', '已到期'],
    ['elsewhere', 'For another installation', '属于另一个系统'],
    ['forged', 'Not signed by a known supplier', '不是已知供应商签发'],
  ] as const)('says what a file is that is %s, in both languages', async (state, en, zh) => {
    peer(info({ state, license: state === 'forged' ? null : { ...SIGNED, daysLeft: 0 } }))
    showPage(Page)
    expect(await screen.findByText(en)).toBeTruthy()
    chooseLang('zh')
    expect(await screen.findByText(zh)).toBeTruthy()
  })

  it('marks a term that ends soon', async () => {
    peer(info({ state: 'valid', license: { ...SIGNED, daysLeft: 1 } }))
    showPage(Page)
    expect((await screen.findByText('ends today')).closest('.tg-status-warn')).not.toBeNull()
  })

  it('sends the file that was chosen, says why it was refused, and takes one that is good [S6.5]', async () => {
    let good = false
    const { seen } = peer({
      ...info(),
      'license.save': () =>
        good ? {} : new Refusal(400, { error: 'license_forged', msg: 'The signature is not good' }),
    })
    showPage(Page)
    await screen.findByText(HERE)
    choose('bad')
    expect(await screen.findByText(/The signature is not good/)).toBeTruthy()
    good = true
    choose('fine')
    expect(await screen.findByText('The license file was taken over')).toBeTruthy()
    await waitFor(() => expect(text()).not.toContain('The signature is not good'))
    expect(seen.filter(({ id }) => id === 'license.save').map(({ input }) => input.file)).toEqual(['bad', 'fine'])
    choose('x', 20_000)
    expect(await screen.findByText('This is not a license file: it is larger than 16 KB')).toBeTruthy()
    expect(seen.filter(({ id }) => id === 'license.save')).toHaveLength(2)
  })

  it('gives the file back after a question', async () => {
    const { seen } = peer({ ...info({ state: 'valid', license: SIGNED }), 'license.delete': () => ({}) })
    showPage(Page)
    await press('Remove')
    await screen.findByText('The community license holds then. Nothing is switched off.')
    await press('Remove', () => document.querySelector('.ant-modal'))
    expect(await screen.findByText('The license file was removed')).toBeTruthy()
    expect(seen.some(({ id }) => id === 'license.delete')).toBe(true)
  })

  it('offers no change without the right to it, nor an upload where no supplier is known', async () => {
    useSession.setState({ user: { ...USER.user, superAdmin: false }, permissions: new Set(['home:auth']) })
    peer(info({ suppliers: [] }))
    showPage(Page)
    await screen.findByText(HERE)
    expect(buttons().filter((b) => /license file|Remove/.test(b.textContent ?? ''))).toEqual([])
    useSession.setState({ user: USER.user })
    await waitFor(() => expect(buttons().find((b) => b.textContent === 'Upload license file')?.disabled).toBe(true))
    expect(text()).toContain('TIDEGATE_LICENSE_KEYS')
  })
})
