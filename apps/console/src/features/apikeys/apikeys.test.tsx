// @vitest-environment jsdom
import { configure, waitFor } from '@testing-library/react'
import type { ApiKeyRow } from '@tidegate/contract/operations/apikey'
import { expect, it } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { inBrowser } from '../../testing/browser.ts'
import { press, showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'
import { Page } from './ApiKeysPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })

const sites = { zh: '站点', en: 'Sites' }
const scope = (value: string, zh: string, en: string) => ({ value, name: { zh, en }, title: sites })
const SCOPES = [
  scope('cdn:site:list', '查看站点', 'View sites'),
  scope('cdn:site:save', '保存站点', 'Save sites'),
  scope('cdn:site:delete', '删除站点', 'Delete sites'),
  scope('cdn:push:list', '查看推送', 'View pushes'),
]
const key = (id: number, scopes: string[]): ApiKeyRow => ({
  id,
  name: `key ${id}`,
  hint: 'tgk_abcdef',
  scopes,
  allowedIps: [],
  enabled: true,
  expireTime: '',
  expired: false,
  createTime: '2026-11-01T00:00:00.000Z',
  lastUse: '',
  lastUseIp: '',
})

it.each([
  ['en', 'View sites · from everywhere', 'View sites, Save sites, Delete sites and 1 more · from everywhere'],
  ['zh', '查看站点 · 不限地址', '查看站点、保存站点、删除站点 等，另有 1 项 · 不限地址'],
] as const)('API keys tell their permissions in words, in the list and in the form (%s)', async (lang, one, four) => {
  chooseLang(lang)
  const list = [
    key(1, ['cdn:site:list']),
    key(
      2,
      SCOPES.map((s) => s.value),
    ),
  ]
  peer({ 'apikey.list': () => ({ data: { list, scopes: SCOPES } }) })
  showPage(Page)
  const first = (row: number) =>
    document.querySelectorAll('.security-list li')[row]?.querySelector('small')?.textContent
  await waitFor(() => expect([first(0), first(1)]).toEqual([one, four]))
  await press(lang === 'en' ? 'New key' : '新建密钥')
  const leaves = () =>
    [...document.querySelectorAll('.ant-drawer .ant-tree-title')].map((title) => title.textContent).filter(Boolean)
  await waitFor(() => expect(leaves()).toEqual([sites[lang], ...SCOPES.map((s) => s.name[lang])]))
  expect(document.body.textContent).not.toContain('cdn:')
})
