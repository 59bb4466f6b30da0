/** A control plane that is lost and comes back: by the console on the same machine, by the commands on an empty one. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startS3, type TestS3 } from '@tidegate/testkit/s3'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, newPerson, type Person, settled } from './lib/browser.ts'
import { makeCertificate } from './lib/certificate.ts'
import { type Origin, startOrigin } from './lib/origin.ts'
import { sql } from './lib/stores.ts'
import { waitFor } from './lib/wait.ts'
import { ADMIN, ROOT, Stack } from './stack.ts'

const PASSPHRASE = 'kept in another drawer'
const CUSTOMER = { username: 'buyer', password: 'Buyer-password-1' }
const CHIEF = { username: 'chief', password: 'Chief-password-1' }

let stack: Stack
let second: Stack | undefined
let browser: Browser
let person: Person
let origin: Origin
let s3: TestS3
let fingerprint: string
const folder = mkdtempSync(join(tmpdir(), 'tidegate-e2e-second-'))
const file = join(folder, 'taken-along.backup')

/** `npm run backup|restore -- …` of an installation. */
const command = async (dataDir: string, ...args: string[]) => {
  const env = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, TIDEGATE_DATA: dataDir },
    TIDEGATE_BACKUP_PASSPHRASE: PASSPHRASE,
  }
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'dist', 'admin.mjs'), ...args], { env })
  return stdout
}

const answer = async (of: Stack, host: string) => {
  const { status, headers } = await of.visit(host)
  return status === 200 ? String(headers['x-origin']) : 'none'
}

const prove = async (page: Page) => page.getByLabel('Your password').fill(ADMIN.password)
const dialog = (page: Page) => page.getByRole('dialog')

beforeAll(async () => {
  origin = await startOrigin('first')
  s3 = await startS3('backups')
  stack = await Stack.start()
  browser = await launchBrowser()
  const pair = await makeCertificate(['secure.test'])
  fingerprint = pair.fingerprint
  const cert = await stack.api.call('cert.save', { certPem: pair.certPem, keyPem: pair.keyPem })
  for (const name of ['one.test', 'two.test']) await stack.saveSite(name, origin)
  const { push } = await stack.saveSite('secure.test', origin, { settings: { certId: cert.id } })
  await stack.pushed(push)
  await stack.api.call('customer.save', CUSTOMER)
  await stack.api.call('admin.save', { ...CHIEF, roleIds: [] })
  const { token } = await stack.api.call('auth.login', ADMIN)
  person = await newPerson(browser, { token })
})
afterAll(async () => {
  await browser?.close()
  await second?.destroy()
  await stack?.destroy()
  await s3?.close()
  await origin?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('backup and restore', () => {
  it('sets a passphrase and makes a backup from the screen', async () => {
    const { page } = person
    await page.goto(`${stack.consoleUrl}#/system/backup`)
    await page.getByText('No passphrase is set').waitFor()
    await page.getByRole('button', { name: 'Set up' }).click()
    await dialog(page).getByLabel('Passphrase of the backup').fill(PASSPHRASE)
    await dialog(page).getByLabel('Once more').fill(PASSPHRASE)
    await prove(page)
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Back up now' }).click()
    const row = page.getByRole('row').filter({ hasText: 'By hand' })
    await row.waitFor()
    await settled(page)
    expect(person.faults).toEqual([])
  })

  it('refuses a file that is foreign, cut off or newer, with its text, and nothing changes', async () => {
    const { token } = await stack.api.call('auth.login', ADMIN)
    const { page, faults, context } = await newPerson(browser, { token, lang: 'zh' })
    await page.goto(`${stack.consoleUrl}#/system/backup`)
    await page.getByRole('button', { name: /^导\s?入$/ }).click()
    await dialog(page).getByLabel('该备份的口令').fill(PASSPHRASE)
    await dialog(page).getByLabel('请输入以确认').fill('恢复')
    await dialog(page).getByLabel('登录密码').fill(ADMIN.password)
    const kept = (await stack.api.call('backup.list', {})).data.list[0]?.name ?? ''
    const whole = readFileSync(join(stack.dataDir, 'backups', kept))
    const newer = Buffer.from(whole.toString('latin1').replace('"format":1', '"format":9'), 'latin1')
    for (const [buffer, text] of [
      [Buffer.from('-- a dump of something else'), '这不是 Tidegate 的备份文件'],
      [whole.subarray(0, whole.length / 2), '备份文件不完整或已损坏'],
      [newer, /备份来自本版本不认识的发行版（.+），请先升级/],
    ] as const) {
      await dialog(page)
        .locator('input[type=file]')
        .setInputFiles({ name: 'given.backup', mimeType: 'application/octet-stream', buffer })
      await dialog(page)
        .getByRole('button', { name: /^恢\s?复$/ })
        .click()
      await dialog(page).getByText(text).waitFor()
    }
    expect((await stack.api.call('backup.state', {})).data).toMatchObject({ restore: null, restoring: false })
    expect(readdirSync(join(stack.dataDir, 'restore'))).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  it('goes back to it from the screen: sites are as they were, and the node that was ahead is brought back in step [N15]', async () => {
    const { page } = person
    // One purge and three changes that the backup does not know.
    await stack.api.call('cache.purge', { kind: 'url', entries: ['http://one.test/'] })
    const { data } = await stack.api.call('site.list', {})
    const two = data.list.find((site) => site.domains.includes('two.test'))
    await stack.api.call('site.delete', { ids: [two?.id ?? 0] })
    await stack.pushed((await stack.saveSite('after.test', origin)).push)
    expect([await answer(stack, 'two.test'), await answer(stack, 'after.test')]).toEqual(['none', 'first'])
    const ahead = stack.node.revision

    await page.getByRole('row').filter({ hasText: 'By hand' }).getByRole('button', { name: 'Restore' }).click()
    const ok = dialog(page).getByRole('button', { name: 'Restore', exact: true })
    await dialog(page).getByLabel('Passphrase of this backup').fill('not the right one')
    expect(await ok.isDisabled()).toBe(true)
    await dialog(page).getByLabel('Type to confirm').fill('restore')
    await prove(page)
    await ok.click()
    await dialog(page).getByText('is not the passphrase of this backup').waitFor()
    await dialog(page).getByLabel('Passphrase of this backup').fill(PASSPHRASE)
    await ok.click()
    await page.getByText('All logins have ended').waitFor({ timeout: 120_000 })

    await stack.api.login(ADMIN.username, ADMIN.password)
    const green = await stack.untilGreen(120_000)
    expect(stack.node.revision).toBeGreaterThan(ahead)
    const served = () => Promise.all(['one.test', 'two.test', 'after.test'].map((host) => answer(stack, host)))
    await waitFor(
      async () => (await served()).join() === 'first,first,none',
      'the sites of the backup to be served',
      60_000,
    )
    expect((await stack.visit('secure.test', { tls: true })).fingerprint).toBe(fingerprint)
    expect(green.appliedRevision).toBe(green.desiredRevision)
    const [lied] = await sql<{ n: number }>(stack, 'SELECT count(*)::int AS n FROM node WHERE lied_at IS NOT NULL')
    expect(lied?.n).toBe(0)
    // What is saved now reaches the node like any other change.
    await stack.pushed((await stack.saveSite('later.test', origin)).push)
    expect(await answer(stack, 'later.test')).toBe('first')
    // So does a purge: the node knows a higher number than the backup had, and must not take this one for an old one.
    const asked = origin.served('/kept')
    for (let i = 0; i < 2; i++) await stack.visit('one.test', { path: '/kept' })
    expect(origin.served('/kept')).toBe(asked + 1)
    const { id } = await stack.api.call('cache.purge', { kind: 'url', entries: ['http://one.test/kept'] })
    await waitFor(
      async () => (await stack.api.call('cache.task', { id })).data.state === 'done',
      'the purge to be done',
      30_000,
    )
    await stack.visit('one.test', { path: '/kept' })
    expect(origin.served('/kept')).toBe(asked + 2)

    const { data: state } = await stack.api.call('backup.state', {})
    expect(state.restore).toMatchObject({ ok: true, by: 'admin', safety: expect.stringMatching(/^before-restore-/) })
    const { data: log } = await stack.api.call('audit.list', { action: 'config.restored' })
    expect(log.list).toHaveLength(1)
  })

  it('is made by the schedule in storage that speaks S3', async () => {
    const { proof } = await stack.api.call('backup.prove', { password: ADMIN.password })
    const target = { target: 's3', ...s3.settings, prefix: 'plane/' }
    await stack.api.call('backup.settingsSave', { proof, target, passphrase: PASSPHRASE })
    const { data: tasks } = await stack.api.call('schedule.list', { kind: 'backup.make' })
    await stack.api.call('schedule.run', { id: tasks.list[0]?.id ?? 0 })
    const row = await waitFor(
      async () => (await stack.api.call('backup.list', {})).data.list[0],
      'the backup in the bucket',
      60_000,
    )
    expect(row).toMatchObject({ place: 's3', kind: 'scheduled', fault: '' })
  })

  it('brings everything into an empty second installation by two commands: logins work, secrets open, its own node serves the sites [N15]', async () => {
    expect(await command(stack.dataDir, 'backup', '--to', file)).toContain(file)
    // The first machine is lost.
    await person.context.close()
    await stack.destroy()
    const dataDir = join(folder, 'data')
    expect(await command(dataDir, 'restore', file)).toMatch(/restored: \d+ rows/)
    second = await Stack.start({ dataDir })
    const { data } = await second.api.call('site.list', {})
    expect(data.list.flatMap((site) => site.domains).sort()).toEqual([
      'later.test',
      'one.test',
      'secure.test',
      'two.test',
    ])
    await second.api.login(CHIEF.username, CHIEF.password)
    await second.api.call('auth.userLogin', CUSTOMER)
    const served = async (of: Stack) =>
      (await Promise.all(['one.test', 'two.test', 'later.test'].map((host) => answer(of, host)))).join()
    const now = second
    await waitFor(async () => (await served(now)) === 'first,first,first', 'the sites at the new node', 60_000)
    // The private key was sealed by the first installation's master key.
    expect((await second.visit('secure.test', { tls: true })).fingerprint).toBe(fingerprint)
  })
})
