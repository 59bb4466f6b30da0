/**
 * Free certificates on the whole way: applied for in the console, validated by a real certificate authority at the real edge, served by
 * nginx, renewed by the schedule. The authority refuses half of all nonces.
 */
import { connect } from 'node:tls'
import type { CertInfo } from '@tidegate/contract/operations/cert'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from './lib/api.ts'
import { launchBrowser, newPerson } from './lib/browser.ts'
import { type Origin, startOrigin } from './lib/origin.ts'
import { type Pebble, startPebble } from './lib/pebble.ts'
import { sql } from './lib/stores.ts'
import { waitFor } from './lib/wait.ts'
import { ADMIN, Stack } from './stack.ts'

const SHOP = 'shop.acme.test'
const KILLED = 'killed.acme.test'
const BLOCKED = 'blocked.acme.test'
const BOUND = 'bound.acme.test'
const OWN = 'own.acme.test'
const PATIENCE_MS = 90_000

let stack: Stack
let origin: Origin
let pebble: Pebble
let browser: Browser

beforeAll(async () => {
  origin = await startOrigin('shop')
  stack = await Stack.start()
  pebble = await startPebble({ httpPort: stack.node.httpPort, blocked: [BLOCKED] })
  await addAuthority('Pebble', pebble, { isDefault: true })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await stack?.destroy()
  await pebble?.stop()
  await origin?.close()
})

const addAuthority = async (name: string, from: Pebble, more: object = {}) => {
  const { directoryUrl, caBundle } = from
  return (await stack.api.call('ca.save', { name, kind: 'custom', directoryUrl, caBundle, ...more })).id
}

/** The certificate of a handshake with the edge. */
const shown = (host: string) =>
  new Promise<{ issuer: string; serial: string }>((resolve, reject) => {
    const { httpsPort: port } = stack.node
    const socket = connect({ host: '127.0.0.1', port, servername: host, rejectUnauthorized: false }, () => {
      const { issuer, serialNumber: serial } = socket.getPeerCertificate()
      socket.end()
      resolve({ issuer: String(issuer.CN), serial })
    })
    socket.on('error', reject)
  })

const info = async (id: number): Promise<CertInfo> => (await stack.api.call('cert.info', { id })).data
const ended = (id: number, more: (cert: CertInfo) => boolean = () => true) =>
  waitFor(
    async () => {
      const cert = await info(id)
      return ['done', 'failed'].includes(cert.order?.step ?? '') && more(cert) && cert
    },
    () => `the order's end\n${stack.explain()}`,
    PATIENCE_MS,
  )
/** The engine's processes: a reload would bring new workers. */
const engine = () => ['master', 'worker'].flatMap((part) => stack.processes(part as 'master').map(({ pid }) => pid))

describe('a free certificate', () => {
  it('is applied for with one click at a site that forces https, and served by the edge without a reload', async () => {
    const { id } = await stack.saveSite(SHOP, origin, { settings: { httpsRedirect: true } })
    const before = engine()
    expect((await shown(SHOP)).issuer).not.toContain('Pebble')
    const { token } = await stack.api.call('auth.login', ADMIN)
    const { page, faults, context } = await newPerson(browser, { token })
    await page.goto(`${stack.consoleUrl}#/cdn/site/list/detail?id=${id}&tab=https`)
    await page.getByRole('button', { name: 'Apply for a free certificate' }).click()
    await page.getByText('The certificate is issued and in use').waitFor({ timeout: PATIENCE_MS })
    await page.goto(`${stack.consoleUrl}#/cdn/site/cert`)
    const row = page.getByRole('row').filter({ hasText: SHOP })
    await row.getByText('Succeeded').waitFor()
    expect(faults).toEqual([])
    await context.close()
    await waitFor(
      async () => (await shown(SHOP)).issuer.startsWith('Pebble Intermediate'),
      'the certificate at the edge',
      PATIENCE_MS,
    )
    expect(engine()).toEqual(before)
    // What was for the authority's eyes is gone; other tokens are the origin's.
    const answer = await stack.visit(SHOP, { path: '/.well-known/acme-challenge/unknown', tls: true })
    expect(answer.body).toContain('shop')
  })

  it('is renewed by the scheduled task: another key and number, without a reload', async () => {
    const { data } = await stack.api.call('cert.list', { key: SHOP })
    const cert = data.list[0]
    if (!cert) throw new Error('no certificate')
    const [before, first] = [engine(), await shown(SHOP)]
    const task = (await stack.api.call('schedule.list', { key: 'cert.renew' })).data.list[0]
    if (!task) throw new Error('no task')
    await stack.api.call('schedule.run', { id: task.id })
    await sql(
      stack,
      `UPDATE cert SET not_before = now() - (not_after - now()) * 3, not_after = now() + (not_after - now()) / 10 WHERE id = $1`,
      [cert.id],
    )
    await waitFor(
      async () => (await stack.api.call('schedule.info', { id: task.id })).data.active === 0,
      'the first run to end',
      PATIENCE_MS,
    )
    await stack.api.call('schedule.run', { id: task.id })
    const renewed = await ended(cert.id, (found) => found.serial !== cert.serial)
    expect(renewed).toMatchObject({ status: 'succeeded', sites: 1, order: { reason: 'renew', by: 'system' } })
    const second = await waitFor(
      async () => {
        const now = await shown(SHOP)
        return now.serial !== first.serial && now
      },
      'the new certificate at the edge',
      PATIENCE_MS,
    )
    expect(second.issuer).toContain('Pebble Intermediate')
    expect(engine()).toEqual(before)
  })

  it('is had all the same when the control plane is killed in the middle', async () => {
    await stack.saveSite(KILLED, origin)
    const { id } = await stack.api.call('cert.apply', { names: [KILLED] })
    await waitFor(async () => (await info(id)).order?.step !== 'waiting', 'the order to begin', PATIENCE_MS)
    await stack.kill('server')
    await waitFor(
      () =>
        info(id).then(
          () => true,
          () => false,
        ),
      'the control plane to be back',
      PATIENCE_MS,
    )
    expect(await ended(id)).toMatchObject({ status: 'succeeded', sites: 1 })
    expect((await info(id)).orders).toHaveLength(1)
    await waitFor(
      async () => (await shown(KILLED)).issuer.startsWith('Pebble'),
      'the certificate at the edge',
      PATIENCE_MS,
    )
  })

  it('is had by a customer for the own site, on a phone; nobody else’s certificates are there', async () => {
    const account = { username: 'cert-customer', password: 'Customer-1' }
    const { id: userId } = await stack.api.call('customer.save', account)
    await stack.saveSite(OWN, origin, { userId })
    const { token } = await createApi(() => stack.baseUrl).call('auth.userLogin', account)
    const phone = { token, console: 'user', lang: 'zh', width: 390, height: 844 } as const
    const { page, faults, context } = await newPerson(browser, phone)
    await page.goto(`${stack.baseUrl}#/cdn/site/cert`)
    await page.getByText('还没有证书').waitFor()
    await page.getByRole('button', { name: '申请免费证书' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('域名').fill('acme.test')
    const offered = page.locator('.ant-select-item-option')
    await offered.filter({ hasText: OWN }).click()
    expect(await offered.allInnerTexts()).toEqual([OWN])
    await drawer.getByRole('button', { name: '提交申请' }).click()
    await drawer.locator('li[aria-current=step]', { hasText: '完成' }).waitFor({ timeout: PATIENCE_MS })
    await drawer.getByRole('button', { name: '关闭' }).last().click()
    const rows = page.locator('.tg-table tbody tr[data-row-key]')
    await rows.getByText('申请成功').waitFor()
    expect(await rows.count()).toBe(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(faults).toEqual([])
    await context.close()
    await waitFor(
      async () => (await shown(OWN)).issuer.startsWith('Pebble'),
      'the certificate at the edge',
      PATIENCE_MS,
    )
  })

  it('that the authority refuses says why, in our words and in its own', async () => {
    await stack.saveSite(BLOCKED, origin)
    const { id } = await stack.api.call('cert.apply', { names: [BLOCKED] })
    const failed = await ended(id)
    expect(failed.status).toBe('failed')
    expect(failed.order?.fault).toBe('The certificate authority issues no certificate for this name')
    expect(failed.order?.detail).toContain(BLOCKED)
  })

  it('comes from an authority that wants its own account to be named', async () => {
    const hmac = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W'
    const bound = await startPebble({ httpPort: stack.node.httpPort, eab: { 'kid-1': hmac } })
    try {
      const authorityId = await addAuthority('Bound', bound, { eabKid: 'kid-1', eabKey: hmac })
      expect((await stack.api.call('ca.test', { id: authorityId })).data).toMatchObject({ ok: true, needsEab: true })
      await stack.saveSite(BOUND, origin)
      const { id } = await stack.api.call('cert.apply', { names: [BOUND], authorityId })
      expect(await ended(id)).toMatchObject({ status: 'succeeded', authority: 'Bound' })
    } finally {
      await bound.stop()
    }
  })
})
