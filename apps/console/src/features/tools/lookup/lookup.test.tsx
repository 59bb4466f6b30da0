// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, within } from '@testing-library/react'
import type { DigAnswer, ProbeAnswer } from '@tidegate/contract/node/lookups'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../../shared/i18n.ts'
import { ThemeProvider } from '../../../shell/ThemeProvider.tsx'
import { inBrowser } from '../../../testing/browser.ts'
import { press, showPage } from '../../../testing/page.tsx'
import { peer, Refusal } from '../../../testing/peer.ts'
import { Page } from './LookupPage.tsx'
import { partsOf } from './parts.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => chooseLang('en'))

const NODES = [
  { id: 4, name: 'far', groupName: 'default', state: 'offline' as const },
  { id: 7, name: 'edge-1', groupName: 'default', state: 'online' as const },
]
const nodes = { 'tools.lookupNodes': () => ({ data: NODES }) }
const DUG: DigAnswer = {
  ...{ server: '192.0.2.53:53', ms: 12.4, fault: null, status: 'NOERROR', tcp: true, authoritative: false },
  ...{ authenticated: true, authority: [] },
  answers: [{ name: 'a.example.', type: 'MX', ttl: 300, data: '10 mail.a.example.' }],
}
const PROBED: ProbeAnswer = {
  ...{ fault: null, code: '', address: '192.0.2.1', port: 443, status: 503, reason: 'Busy', bytes: 12_000, cut: false },
  headers: [
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ],
  tls: {
    ...{ protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', subject: 'CN=a.example', issuer: 'CN=Own' },
    ...{ names: ['a.example', 'b.example'], problem: 'CERT_HAS_EXPIRED' },
    ...{ notBefore: '2026-01-01T00:00:00.000Z', notAfter: '2026-02-01T00:00:00.000Z' },
  },
  ...{ times: { lookup: 2, connect: 12, tls: 40, first: 90.5, total: 91 }, text: '<h1>Busy</h1>' },
}
const answer = () => screen.findByRole('region', { name: 'Answer' })
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } })

describe('a question to DNS', () => {
  it('is asked from the first node online, and shows the records with what is known of the answer', async () => {
    const { seen } = peer({ ...nodes, 'tools.dig': () => ({ data: DUG }) })
    showPage(Page, '/', ThemeProvider)
    await screen.findByText('edge-1')
    type('Name', 'a.example')
    await press('Look up')
    const shown = await answer()
    for (const text of ['NOERROR', '192.0.2.53:53, 12 ms', 'TCP', 'Signatures checked', '10 mail.a.example.'])
      expect(within(shown).getByText(text)).toBeTruthy()
    expect(within(shown).queryByText('Authoritative')).toBeNull()
    expect(seen.at(-1)?.input).toEqual({ nodeId: 7, name: 'a.example', type: 'A', server: '' })
  })

  it.each([
    [{ status: 'NXDOMAIN' }, 'There is no such name'],
    [{ status: 'NOERROR' }, 'The name has no records of this type'],
    [{ status: 'SERVFAIL' }, 'SERVFAIL'],
    [{ status: '', fault: 'timeout' as const }, 'The name server gave no answer in time'],
  ])('says what there is instead of records: %j', async (more, text) => {
    peer({ ...nodes, 'tools.dig': () => ({ data: { ...DUG, answers: [], ...more } }) })
    showPage(Page, '/', ThemeProvider)
    await screen.findByText('edge-1')
    type('Name', 'a.example')
    await press('Look up')
    expect(within(await answer()).getByText(text)).toBeTruthy()
  })

  it('shows at the field what is wrong, and above the form what is no field’s', async () => {
    let silent = false
    const errors = [{ path: 'server', key: 'private_address', msg: 'private and loopback addresses are not allowed' }]
    peer({
      ...nodes,
      'tools.dig': () =>
        silent
          ? new Refusal(503, { error: 'node_silent', msg: 'The node edge-1 gave no answer within 10 s' })
          : new Refusal(400, { error: 'invalid_input', msg: 'wrong', errors }),
    })
    showPage(Page, '/', ThemeProvider)
    await screen.findByText('edge-1')
    await press('Look up')
    await screen.findByText('is required')
    type('Name', 'a.example')
    type('Name server', '10.0.0.1')
    await press('Look up')
    await screen.findByText('private and loopback addresses are not allowed')
    silent = true
    await press('Look up')
    await screen.findByText(/gave no answer within 10 s/)
  })
})

describe('a request to a web address', () => {
  it('shows how it went, the certificate and what is wrong with it, the time of each part, headers that come twice', async () => {
    const { seen } = peer({ ...nodes, 'tools.probe': () => ({ data: PROBED }) })
    showPage(Page, '/?tab=http', ThemeProvider)
    await screen.findByText('edge-1')
    type('URL', 'https://a.example/')
    fireEvent.click(screen.getByLabelText("The node's own edge, as a visitor's would be"))
    await press('Send')
    const shown = await answer()
    for (const text of [
      '503 Busy',
      'Not trusted: CERT_HAS_EXPIRED',
      'a.example, b.example',
      'a=1',
      'b=2',
      '<h1>Busy</h1>',
    ])
      expect(within(shown).getByText(text)).toBeTruthy()
    const parts = [...shown.querySelectorAll('.lookup-parts li')].map((li) => li.textContent?.trim())
    expect(parts).toEqual(['DNS 2 ms', 'TCP 10 ms', 'TLS 28 ms', 'Waiting 51 ms', 'Transfer 0.5 ms', '91 ms in all'])
    expect(seen.at(-1)?.input).toEqual({ nodeId: 7, url: 'https://a.example/', method: 'GET', way: 'edge' })
  })

  it('says in Chinese why nothing came, and shows no part that was not come to', async () => {
    await chooseLang('zh')
    const times = { lookup: 2, connect: null, tls: null, first: null, total: 5 }
    const failed = {
      ...PROBED,
      fault: 'refused' as const,
      code: 'ECONNREFUSED',
      status: 0,
      tls: null,
      headers: [],
      times,
    }
    peer({ ...nodes, 'tools.probe': () => ({ data: failed }) })
    showPage(Page, '/?tab=http', ThemeProvider)
    await screen.findByText('edge-1')
    type('网址', 'https://a.example/')
    await press('发送')
    const shown = await screen.findByRole('region', { name: '应答' })
    expect(within(shown).getByText('连接被拒绝')).toBeTruthy()
    expect(within(shown).getByText('ECONNREFUSED')).toBeTruthy()
    expect(shown.querySelectorAll('rect')).toHaveLength(1)
  })

  it('gives each part what lies between its end and the end of the one before', () => {
    expect(partsOf({ lookup: null, connect: 3, tls: null, first: 5, total: 9.5 })).toEqual([
      { part: 'connect', begin: 0, ms: 3 },
      { part: 'wait', begin: 3, ms: 2 },
      { part: 'body', begin: 5, ms: 4.5 },
    ])
  })
})
