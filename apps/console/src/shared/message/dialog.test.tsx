// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/dns/"}
import { configure, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { inBrowser } from '../../testing/browser.ts'
import { showPage, words } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { MessageDialog } from './MessageDialog.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })

const MANAGED = { target: 'chosen', expireTime: '', state: 'out', reads: 0 } as const

describe('a message in the DNS console', () => {
  it.each([
    ['/cdn/work-order/list/detail?id=3', ['Close', 'Go to it']],
    ['/cdn/site/list/detail?id=3&tab=https', ['Close']],
    ['', ['Close']],
  ])('offers the way to %s only where that screen is', async (link, buttons) => {
    const base = { id: 7, title: 'Notice 7', type: 1, status: 1, readStatus: 1, createtime: '2026-11-20T10:00:00Z' }
    peer({ 'message.info': () => ({ data: { ...base, ...MANAGED, users: [], link, content: '<p>text</p>' } }) })
    showPage(() => <MessageDialog id={7} onClose={() => {}} />)
    await screen.findByText('text')
    const footer = () => document.querySelector('.ant-modal-footer') ?? document.body
    const visible = () => words(footer()).filter((_, i) => !footer().querySelectorAll('button')[i]?.hidden)
    await waitFor(() => expect(visible()).toEqual(buttons))
  })
})
