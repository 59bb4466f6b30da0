import { CUSTOM_FLAGS, MODE_FLAGS, type PageFlags } from '@tidegate/contract/features'
import type { MenuItem } from '@tidegate/contract/operations/common'
import { describe, expect, it } from 'vitest'
import { offered } from './features.ts'

const OFF: PageFlags = {
  rewrite: 0,
  force: 0,
  ai_waf: 0,
  dns_rewrite: null,
  otherSite: null,
  mode: { 176: 0, 179: 0, tw: 0, permissions: [] },
}
const ON: Record<string, Partial<PageFlags>> = {
  rewrite: { rewrite: 2 },
  force: { force: 1 },
  ai_waf: { ai_waf: 1 },
  'dns-rewrite': { dns_rewrite: { cnameDomain: 'a.test', dnsAddress: '' } },
  'other-url': { otherSite: { siteUrl: 'https://b.test' } },
  '176': { mode: { ...OFF.mode, 176: 1 } },
  '179': { mode: { ...OFF.mode, 179: 1 } },
  tw: { mode: { ...OFF.mode, tw: 1 } },
}
const entry = (url: string, custom?: string): MenuItem => ({
  menuId: 1,
  url,
  type: 1,
  meta: { title: { zh: url, en: url }, ...(custom === undefined ? {} : { custom }) },
  children: [],
})
const urls = (menu: readonly MenuItem[], flags: PageFlags | null, debug = false) =>
  offered(menu, flags, debug).map((item) => item.url)

describe('features in the menu', () => {
  it.each(CUSTOM_FLAGS)(
    'lists an entry of the flag %s only while it counts above 0, or in debug mode [S6.2]',
    (flag) => {
      const menu = [entry('/plain'), entry('/own', flag)]
      expect(urls(menu, OFF)).toEqual(['/plain'])
      expect(urls(menu, { ...OFF, ...ON[flag] })).toEqual(['/plain', '/own'])
      for (const other of CUSTOM_FLAGS.filter((f) => f !== flag))
        expect(urls(menu, { ...OFF, ...ON[other] }), other).toEqual(['/plain'])
      expect(urls(menu, OFF, true)).toEqual(['/plain', '/own'])
      expect(urls(menu, null)).toEqual(['/plain'])
    },
  )

  it('reads the mode flags 176, 179 and tw from the page config; debug mode does not pass over them [S6.3]', () => {
    const menu = [
      entry('/cdn/site/rewrite'),
      entry('/cdn/site/stream'),
      entry('/cdn/site/stream-monitor'),
      entry('/tw', 'tw'),
    ]
    const shown: Record<string, string[]> = {
      '176': ['/cdn/site/rewrite'],
      '179': ['/cdn/site/stream', '/cdn/site/stream-monitor'],
      tw: ['/tw'],
    }
    expect(urls(menu, OFF)).toEqual([])
    expect(urls(menu, OFF, true)).toEqual([])
    for (const flag of MODE_FLAGS) expect(urls(menu, { ...OFF, ...ON[flag] }), flag).toEqual(shown[flag])
  })

  it('asks for both where forwarding must be installed and sold [S6.3]', () => {
    const menu = [entry('/cdn/site/rewrite', 'rewrite')]
    const installed = { ...OFF, ...ON['176'] }
    expect(urls(menu, installed)).toEqual([])
    expect(urls(menu, { ...OFF, rewrite: 1 })).toEqual([])
    expect(urls(menu, { ...installed, rewrite: 1 })).toEqual(['/cdn/site/rewrite'])
    expect(urls(menu, installed, true)).toEqual(['/cdn/site/rewrite'])
  })
})
