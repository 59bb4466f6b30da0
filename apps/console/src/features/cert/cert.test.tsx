// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/"}
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { CERT_STATUSES, type CertStatus } from '@tidegate/contract/cert'
import { LANGUAGES } from '@tidegate/contract/enums'
import type { AuthorityRow, CertInfo, CertOrder } from '@tidegate/contract/operations/cert'
import { describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { certOf, orderOf } from '../../testing/certs.ts'
import { EMPTY_LIST, USER } from '../../testing/fixtures.ts'
import { typeAt } from '../../testing/form.ts'
import { press, showPage, tableRow, words } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import { Page as AuthoritiesPage } from './AuthoritiesPage.tsx'
import { Page } from './CertsPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })

const WORDS: Record<CertStatus, { zh: string; en: string }> = {
  unapplied: { zh: '未申请', en: 'Unapplied' },
  applying: { zh: '申请中', en: 'Applying' },
  succeeded: { zh: '申请成功', en: 'Succeeded' },
  failed: { zh: '申请失败', en: 'Failed' },
  own: { zh: '自有证书', en: 'Own certificate' },
  expired: { zh: '已过期', en: 'Expired' },
}
const log = (lang: 'zh' | 'en' = 'en') => {
  chooseLang(lang)
  useSession.setState({ user: { ...USER.user, superAdmin: true } })
}
const answers = (list: ReturnType<typeof certOf>[]) => ({
  'cert.list': () => ({ data: { ...EMPTY_LIST.data, list, totalCount: list.length } }),
})
const acme = (id: number, status: CertStatus, order: Partial<CertOrder> = {}) => {
  const isBare = status === 'unapplied' || status === 'applying' || status === 'failed'
  const own = { status, source: 'acme', authorityId: 1, authority: 'Peer CA', order: orderOf(order) } as const
  return certOf(id, 60, { ...own, ...(isBare && { notAfter: '', sites: 0 }) })
}
const infoOf = (cert: ReturnType<typeof certOf>): CertInfo => ({
  ...{ ...cert, fingerprint: 'ab12', siteList: [{ id: 7, domain: 'a.example', enabled: true }] },
  orders: cert.order ? [cert.order] : [],
})

describe('the list of certificates', () => {
  it.each(LANGUAGES)('shows each state by its name, and can be asked for one (%s) [S4.3]', async (lang) => {
    log(lang)
    const list = CERT_STATUSES.map((status, i) => (status === 'own' ? certOf(i + 1, 60) : acme(i + 1, status)))
    const { seen } = peer(answers(list))
    showPage(Page, '/cdn/site/cert')
    for (const [i, status] of CERT_STATUSES.entries())
      expect((await tableRow(`c${i + 1}.example`)).querySelector('.tg-status')?.textContent).toBe(WORDS[status][lang])
    fireEvent.mouseDown(screen.getByRole('combobox', { name: lang === 'zh' ? '状态' : 'Status' }))
    fireEvent.click(await screen.findByText(WORDS.failed[lang], { selector: '.ant-select-item-option-content' }))
    await waitFor(() => expect(seen.findLast((one) => one.id === 'cert.list')?.input.status).toBe('failed'))
  })

  it('offers what the state allows, and says what is under way or went wrong', async () => {
    log()
    const failed = acme(1, 'failed', { step: 'failed', fault: 'The name may not point here', detail: 'DNS' })
    const running = acme(2, 'succeeded', { step: 'validating', reason: 'renew' })
    const { seen } = peer({
      ...answers([failed, running, acme(3, 'succeeded'), certOf(4, -2)]),
      'cert.renew': () => ({}),
    })
    showPage(Page, '/cdn/site/cert')
    const offers = async (name: string) => words(await tableRow(name)).filter((text) => text !== '' && text !== name)
    expect(await offers('c1.example')).toEqual(['Details', 'Try again'])
    expect(await offers('c2.example')).toEqual(['Details'])
    expect(await offers('c3.example')).toEqual(['Details', 'Renew now'])
    expect(await offers('c4.example')).toEqual(['Details'])
    expect((await tableRow('c1.example')).textContent).toContain('The name may not point here')
    expect((await tableRow('c2.example')).textContent).toContain('Being renewed · Validation by the authority')
    await press('Try again')
    await screen.findByText('The renewal has begun')
    expect(seen.find((one) => one.id === 'cert.renew')?.input).toEqual({ id: 1 })
  })

  it('opens what a notice leads to: the certificate, its sites and every order with its reason', async () => {
    log()
    const cert = acme(5, 'failed', {
      ...{ step: 'failed', fault: 'The name may not point here', detail: 'c5.example: wrong answer' },
      warnings: ['c5.example leads to 192.0.2.1, which is no address of ours'],
    })
    peer({ ...answers([cert]), 'cert.info': () => ({ data: infoOf(cert) }) })
    showPage(Page, '/cdn/site/cert?id=5')
    const drawer = within(await screen.findByRole('dialog'))
    expect(await drawer.findByText('c5.example: wrong answer')).toBeTruthy()
    expect(drawer.getByText('c5.example leads to 192.0.2.1, which is no address of ours')).toBeTruthy()
    expect(drawer.getByText('a.example').getAttribute('href')).toBe('/cdn/site/list/detail?id=7&tab=https')
  })
})

it('an application is sent as it was filled in, and followed until the certificate is there', async () => {
  log()
  let step: CertOrder['step'] = 'publishing'
  const site = { id: 7, domains: ['a.example', '*.a.example'], userName: '' }
  const { seen } = peer({
    ...answers([]),
    'cert.authorities': () => ({ data: [{ id: 3, name: 'Peer CA', isDefault: true }] }),
    'site.list': () =>
      ({
        data: {
          ...EMPTY_LIST.data,
          list: [
            {
              ...{ ...site, userId: null, cname: '', enabled: true, groupId: 1, groupName: '', originProtocol: 'http' },
              ...{ origins: [], certId: null, certNotAfter: '', nodes: 1, nodesLive: 1, nodesRefused: 0, revision: 1 },
              ...{ updateTime: '', createTime: '', remark: '' },
            },
          ],
          totalCount: 1,
        },
      }) as never,
    'cert.apply': () => ({ id: 9 }),
    'cert.info': () => ({ data: infoOf(acme(9, step === 'done' ? 'succeeded' : 'applying', { step })) }),
  })
  showPage(Page, '/cdn/site/cert')
  await press('Apply for a free certificate')
  const names = await waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('.ant-drawer input#names')
    if (!found) throw new Error('no field')
    return found
  })
  fireEvent.mouseDown(names)
  fireEvent.click(await screen.findByText('a.example', { selector: '.ant-select-item-option-content' }))
  const wild = screen.getByText('*.a.example', { selector: '.ant-select-item-option-content' })
  expect(wild.closest('.ant-select-item-option-disabled')).not.toBeNull()
  await press('Apply')
  await waitFor(() =>
    expect(seen.find((one) => one.id === 'cert.apply')?.input).toEqual({
      ...{ names: ['a.example'], authorityId: 3, remark: '', autoRenew: true, bind: true },
    }),
  )
  const current = () => document.querySelector('[aria-current="step"]')?.textContent
  await waitFor(() => expect(current()).toBe('Answer to the nodes'))
  step = 'done'
  await waitFor(() => expect(current()).toBe('Done'))
})

describe('the certificate authorities', () => {
  const row: AuthorityRow = {
    ...{
      id: 1,
      name: "Let's Encrypt",
      kind: 'letsencrypt',
      directoryUrl: 'https://acme.example/directory',
      caBundle: '',
    },
    ...{ email: '', eabKid: '', eabKey: '', enabled: true, isDefault: true, accountUrl: '', accountTime: '', certs: 0 },
    updateTime: '2026-11-22T06:00:00.000Z',
  }

  it('are tested, with the reason in words and in those of the peer', async () => {
    log()
    let ok = true
    const nothing = { terms: '', caaNames: ['le.example'], needsEab: false, renewalInfo: true }
    peer({
      'ca.list': () => ({ data: [row] }),
      'ca.test': () => ({
        data: { ok, fault: ok ? '' : 'It cannot be reached', detail: ok ? '' : 'ECONNREFUSED', ms: 12, ...nothing },
      }),
    })
    showPage(AuthoritiesPage, '/cloud/ca')
    await press('Test')
    expect(await screen.findByText('The directory is there (12 ms)')).toBeTruthy()
    expect(screen.getByText('CAA: le.example · Says when to renew (ARI)')).toBeTruthy()
    ok = false
    await press('Test')
    expect(await screen.findByText('ECONNREFUSED')).toBeTruthy()
  })

  it('show what is wrong at its field', async () => {
    log()
    peer({
      'ca.list': () => ({ data: [{ ...row, kind: 'zerossl' as const, eabKid: 'kid', eabKey: '********' }] }),
      'ca.save': () => new Refusal(400, { msg: 'x', errors: [{ path: 'eabKey', msg: 'is required' }] }),
    })
    showPage(AuthoritiesPage, '/cloud/ca')
    await press('Edit')
    await waitFor(() => typeAt('eabKid', 'other'))
    await press('Save')
    expect(await screen.findByText('is required')).toBeTruthy()
  })
})
