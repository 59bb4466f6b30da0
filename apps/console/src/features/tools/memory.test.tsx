// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, screen, waitFor } from '@testing-library/react'
import type { MemoryEntry } from '@tidegate/contract/node/questions'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { USER } from '../../testing/fixtures.ts'
import { buttons, press, showPage, tableRow } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import { Page } from './MemoryPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })
beforeEach(async () => {
  useSession.setState({ user: USER.user })
  await chooseLang('en')
})

const entry = (key: string, more: Partial<MemoryEntry> = {}): MemoryEntry => ({
  ...{ id: `id-${key.replace(/\W/g, '-')}`, key, form: 'text', value: `value of ${key}` },
  ...{ masked: false, cut: false, size: 12, ttl: 0, ...more },
})
const NODES = [
  { id: 4, name: 'far', groupName: 'default', state: 'offline' as const },
  { id: 7, name: 'edge-1', groupName: 'default', state: 'online' as const },
]
const nodes = { 'tools.memoryNodes': () => ({ data: NODES }) }
const page = (list: MemoryEntry[], next = '') => ({ data: { list, next, capacity: 4_000_000, free: 3_000_000 } })

describe('the memory of a node', () => {
  it('is that of the first node online, page by page, with the time that is left', async () => {
    const { seen } = peer({
      ...nodes,
      'tools.memory': ({ after }) =>
        after === ''
          ? page([entry('1', { form: 'text', ttl: 90_061 }), entry('2', { ttl: 59.2 })], 'n-1')
          : page([entry('3')]),
    })
    showPage(Page)
    expect((await tableRow('1')).textContent).toContain('1 d 1 h')
    expect((await tableRow('2')).textContent).toContain('60 s')
    expect(screen.getByText('1 MB of 4 MB used')).toBeTruthy()
    await press('Show more')
    expect((await tableRow('3')).textContent).toContain('No end')
    expect(buttons().some((b) => b.textContent === 'Show more')).toBe(false)
    expect(screen.getByText('Entries: 3')).toBeTruthy()
    const asked = seen.filter(({ id }) => id === 'tools.memory').map(({ input }) => input)
    expect(asked).toEqual([
      { nodeId: 7, dict: 'tg_sites', prefix: '', after: '' },
      { nodeId: 7, dict: 'tg_sites', prefix: '', after: 'n-1' },
    ])
  })

  it('opens an entry whole and lays JSON out; a secret it does not even ask for', async () => {
    const { seen } = peer({
      ...nodes,
      'tools.memory': ({ entry: one }) =>
        one === undefined
          ? page([entry('1', { value: '{"a', cut: true }), entry('k 1', { masked: true, value: '', form: 'binary' })])
          : page([entry('1', { value: '{"a":{"b":1}}' })]),
    })
    showPage(Page, '/?dict=tg_certs&key=1')
    expect((await tableRow('k 1')).textContent).toContain('Secret, not shown')
    await press('Open', () => document.querySelector('tbody tr.ant-table-row'))
    await waitFor(() =>
      expect(document.querySelector('.tools-whole')?.textContent).toBe('{\n  "a": {\n    "b": 1\n  }\n}'),
    )
    expect(seen.at(-1)?.input).toEqual({ nodeId: 7, dict: 'tg_certs', prefix: '1', entry: 'id-1' })
  })

  it('says which node gave no answer, asks it no second time by itself, and tries again when told', async () => {
    let silent = true
    const { seen } = peer({
      ...nodes,
      'tools.memory': () =>
        silent
          ? new Refusal(503, { error: 'node_silent', msg: 'The node edge-1 gave no answer within 10 s' })
          : page([]),
    })
    showPage(Page)
    await screen.findByText(/The node edge-1 gave no answer within 10 s/)
    expect(seen.filter(({ id }) => id === 'tools.memory')).toHaveLength(1)
    silent = false
    await press('Retry')
    await screen.findByText('There is nothing in this part')
  })

  it('says so where there is no node', async () => {
    peer({ 'tools.memoryNodes': () => ({ data: [] }) })
    showPage(Page)
    await screen.findByText('No node is there; add one on the node list')
  })
})
