import type { Feature } from '@tidegate/contract/features'
import { operationById } from '@tidegate/contract/operations/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { adminToken, call, type TestServer, testServer } from '../testing/app.ts'
import { createApp } from './server.ts'

let server: TestServer
let token = ''
beforeAll(async () => {
  server = await testServer()
  token = await adminToken(server)
})
afterAll(() => server.close())

/** Stores the flags and lets the memory of settings pass. */
const setFlags = async (flags: object) => {
  await server.built.context.database.pool.query(
    `INSERT INTO setting (key, value) VALUES ('flags', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [JSON.stringify(flags)],
  )
  server.clock.advance(120)
}
const urlsOf = (items: unknown): string[] =>
  (items as { url: string; children: unknown }[]).flatMap((item) => [item.url, ...urlsOf(item.children)])

describe('features of the installation', () => {
  it('stand in the page config, before and after a login [S6.2 S6.3]', async () => {
    await setFlags({})
    const before = (await call(server, 'sys/common/index', { method: 'GET' })).body
    expect(before).toMatchObject({
      rewrite: 0,
      force: 0,
      ai_waf: 0,
      dns_rewrite: null,
      otherSite: null,
      mode: { 176: 1, 179: 1, tw: 0, permissions: [] },
    })
    await setFlags({ rewrite: 1, force: 1, mode: { 176: 0, tw: 1, permissions: ['cdn:cache:list'] } })
    for (const who of [undefined, token])
      expect((await call(server, 'sys/common/index', { method: 'GET', token: who })).body).toMatchObject({
        rewrite: 1,
        force: 1,
        mode: { 176: 0, 179: 1, tw: 1, permissions: ['cdn:cache:list'] },
      })
  })

  it('take away the permissions that the mode leaves out, from a super administrator too [S6.3]', async () => {
    await setFlags({})
    const nav = async () => {
      const { body } = await call(server, 'sys/menu/nav', { method: 'GET', token })
      return { urls: urlsOf(body.menuList), permissions: body.permissions as string[] }
    }
    const path = operationById('cache.list').path
    expect((await call(server, path, { token })).status).toBe(200)
    expect((await nav()).urls).toContain('/cdn/site/cache')
    await setFlags({ mode: { permissions: ['cdn:cache:list'] } })
    expect(await call(server, path, { token })).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    const left = await nav()
    expect(left.urls).not.toContain('/cdn/site/cache')
    expect(left.permissions).not.toContain('cdn:cache:list')
  })

  it.each([
    ['rewrite', { rewrite: 1 }],
    ['force', { force: 1 }],
    ['ai_waf', { ai_waf: 1 }],
    ['dns-rewrite', { dns_rewrite: { cnameDomain: 'a.test', dnsAddress: '' } }],
    ['other-url', { otherSite: { siteUrl: 'https://b.test', apiRootPath: '/', syncRegister: 0 } }],
    ['176', { mode: { 176: 1 } }],
    ['179', { mode: { 179: 1 } }],
    ['tw', { mode: { tw: 1 } }],
  ] as [Feature, object][])('are refused by the server while they are off: %s [S6.2 S6.3]', async (feature, on) => {
    const op = { ...operationById('common.enums'), features: [feature] }
    const app = await createApp({
      log: createLog('silent', 'test'),
      version: 'test',
      handlers: server.built.settings.handlers,
      authenticate: server.built.identity.authenticate,
      isMonitor: async () => false,
      defaultLang: server.built.settings.defaultLang,
      features: server.built.settings.features,
      diskLow: () => false,
      customersReadOnly: () => false,
      trustedProxies: [],
      metrics: createMetrics(),
      checks: [],
      operations: [op],
    })
    const ask = async () => {
      const reply = await app.server.inject({ method: 'GET', url: `/api/${op.path}`, headers: { lang: 'zh' } })
      return [reply.statusCode, reply.json().error, reply.json().msg]
    }
    await setFlags({ mode: { 176: 0, 179: 0 } })
    expect(await ask()).toEqual([403, 'feature_off', '本系统未开通此功能'])
    await setFlags(on)
    expect((await ask())[0]).toBe(200)
    await app.stop()
  })
})
