import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { LANGUAGES } from '@tidegate/contract/enums'
import { FIELD_ERRORS } from '@tidegate/contract/errors'
import { startS3, type TestS3 } from '@tidegate/testkit/s3'
import { generate } from 'otplib'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MIGRATIONS } from '../../compose.ts'
import { closeContext } from '../../context.ts'
import { createLog } from '../../platform/log.ts'
import { RESTORE_CARRIERS } from '../../restore-carriers.ts'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { ADMIN_PASSWORD, adminToken, call, callForm, type TestServer, testServer } from '../../testing/app.ts'
import { readBackup } from './dump.ts'
import { resumeRestore } from './index.ts'
import { outdated } from './task.ts'
import { verifyBackup } from './verify.ts'

const PASSPHRASE = 'a passphrase of this test'

let server: TestServer
let token: string
const query = (text: string, values: unknown[] = []) => server.built.context.database.pool.query(text, values)
const post = (path: string, body: object = {}, as = token, lang = 'en') =>
  call(server, path, { token: as, body, headers: { lang } })
const get = (path: string, as = token) => call(server, path, { method: 'GET', token: as })
const proofOf = async (as = token) => {
  const { body } = await post('sys/backup/prove', { password: ADMIN_PASSWORD }, as)
  return String(body.proof)
}
const setUp = async (target: object = { target: 'disk' }) =>
  post('sys/backup/settings/save', { proof: await proofOf(), target, passphrase: PASSPHRASE })
const job = (id: unknown) =>
  server.built.parts
    .flatMap((part) => part.jobs ?? [])
    .find((one) => one.name === 'backup.make')
    ?.run({ id })
const task = (params: object = {}) => {
  const kind = server.built.parts.flatMap((part) => part.tasks ?? []).find((one) => one.kind === 'backup.make')
  const said: string[] = []
  const context = {
    signal: AbortSignal.timeout(120_000),
    say: (line: string) => void said.push(line),
    progress: () => {},
  }
  return kind?.run(kind.params.parse(params) as Record<string, unknown>, context).then((result) => ({ result, said }))
}
const made = async () => {
  const { body } = await post('sys/backup/make')
  await job(body.id)
  const { body: listed } = await post('sys/backup/list')
  return (listed.data as { list: { name: string; place: string; fault: string }[] }).list[0]
}
const bytesOf = (name: string) => readFileSync(join(server.dataDir, 'backups', name))
const importing = (file: Uint8Array, fields: object, lang = 'en', as = token) =>
  callForm(server, 'sys/config/import/db', { ...fields }, file, { token: as, headers: { lang } })
const state = async (as = token) => (await get('sys/backup/state', as)).body.data as Record<string, unknown>
const actions = async () =>
  (await query('SELECT action FROM audit_log ORDER BY id')).rows.map((row) => (row as { action: string }).action)

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.advance(60)
  token = await adminToken(server)
})

describe('who may', () => {
  it('is the super administrator, with the password once more; a proof is good once and for its login only', async () => {
    await createAdmin(server, 'keeper', ['system:backup', 'system:backup:make'])
    const keeper = await loginAs(server, 'keeper')
    expect((await post('sys/backup/list', {}, keeper)).status).toBe(200)
    expect(await state(keeper)).toMatchObject({ mayRestore: false, ready: false, run: null })
    const proof = await proofOf()
    const refused: [string, object][] = [
      ['sys/backup/prove', { password: ADMIN_PASSWORD }],
      ['sys/backup/settings/save', { proof, target: {}, passphrase: PASSPHRASE }],
      ['sys/backup/delete', { place: 'disk', names: ['manual-20260101-000000.backup'] }],
      ['sys/config/export/ticket', { proof, passphrase: PASSPHRASE }],
      ['sys/backup/restore', { proof, passphrase: PASSPHRASE, name: 'manual-20260101-000000.backup', place: 'disk' }],
    ]
    for (const [path, body] of refused) expect([path, (await post(path, body, keeper)).status]).toEqual([path, 403])
    expect((await get('sys/backup/settings', keeper)).status).toBe(403)
    expect((await get('sys/config/export/db?ticket=x', keeper)).status).toBe(403)
    expect((await importing(Buffer.from('x'), { proof, passphrase: PASSPHRASE }, 'en', keeper)).status).toBe(403)

    const wrong = await post('sys/backup/prove', { password: 'not this one' })
    expect(wrong.body).toMatchObject({ code: 400, errors: [{ path: 'password' }] })
    const other = await adminToken(server)
    const asked = { proof, passphrase: PASSPHRASE }
    expect((await post('sys/config/export/ticket', asked, other)).body).toMatchObject({ error: 'proof_expired' })
    expect((await post('sys/config/export/ticket', { ...asked, proof: await proofOf() })).status).toBe(200)
    const used = await proofOf()
    expect((await post('sys/config/export/ticket', { ...asked, proof: used })).status).toBe(200)
    expect((await post('sys/config/export/ticket', { ...asked, proof: used })).body.error).toBe('proof_expired')
  })

  it('proves a second factor where the account has one', async () => {
    const begun = await post('app/account/security/totp', { password: ADMIN_PASSWORD })
    const secret = String(begun.body.secret)
    const code = async () => generate({ secret, epoch: Math.floor(server.clock.now() / 1000) })
    expect((await post('app/account/security/totp/confirm', { code: await code() })).status).toBe(200)
    server.clock.advance(60)
    const password = ADMIN_PASSWORD
    expect((await post('sys/backup/prove', { password })).body).toMatchObject({
      code: 401,
      error: 'second_factor_required',
      methods: ['totp', 'recovery'],
    })
    const wrong = await post('sys/backup/prove', { password, recovery: 'aaaaa-bbbbb' })
    expect(wrong.body).toMatchObject({ error: 'second_factor_wrong' })
    const right = await post('sys/backup/prove', { password, code: await code() })
    expect([right.status, String(right.body.proof).length]).toEqual([200, 43])
    await query('DELETE FROM second_factor')
    await query('DELETE FROM recovery_code')
    await query('DELETE FROM login_failure')
  })
})

describe('backups made here', () => {
  it('need a passphrase first; it is sealed, masked, and kept when the mask comes back', async () => {
    expect((await post('sys/backup/make')).body).toMatchObject({ code: 409, error: 'backup_unset' })
    expect(await task()).toMatchObject({ result: { made: false } })
    const short = await post('sys/backup/settings/save', { proof: await proofOf(), target: {}, passphrase: 'short' })
    expect(short.body).toMatchObject({ errors: [{ path: 'passphrase' }] })
    expect((await setUp()).status).toBe(200)
    expect((await get('sys/backup/settings')).body.data).toMatchObject({
      target: { target: 'disk', secretAccessKey: '' },
      passphrase: '********',
    })
    const { rows } = await query("SELECT value::text AS text FROM installation WHERE key = 'backup'")
    expect((rows[0] as { text: string }).text).not.toContain(PASSPHRASE)
    const again = { proof: await proofOf(), target: { target: 'disk' }, passphrase: '********' }
    expect((await post('sys/backup/settings/save', again)).status).toBe(200)
    expect((await made())?.fault).toBe('')
  })

  it('are listed with time, kind, size, release and who, opened by the passphrase, fetched, and deleted', async () => {
    const found = (await made()) as { name: string }
    expect(found).toMatchObject({ kind: 'hand', place: 'disk', by: 'admin', fault: '' })
    expect(await state()).toMatchObject({ ready: true, target: 'disk', run: { state: 'done', name: found.name } })
    const verified = await verifyBackup(readBackup(join(server.dataDir, 'backups', found.name)), PASSPHRASE, [
      ...(await import('../../platform/migrate.ts').then((m) => m.readMigrations(MIGRATIONS))),
    ])
    expect(verified.tables).toBeGreaterThan(40)
    const { body } = await post('sys/config/export/ticket', { proof: await proofOf(), name: found.name, place: 'disk' })
    const fetched = await get(`sys/config/export/db?ticket=${body.ticket}`)
    expect([fetched.status, Number(fetched.headers['content-length'])]).toEqual([200, bytesOf(found.name).length])
    expect((await get(`sys/config/export/db?ticket=${body.ticket}`)).body.error).toBe('proof_expired')
    expect((await post('sys/backup/delete', { place: 'disk', names: [found.name] })).status).toBe(200)
    expect(existsSync(join(server.dataDir, 'backups', found.name))).toBe(false)
    expect((await post('sys/backup/delete', { place: 'disk', names: [found.name] })).status).toBe(404)
    expect((await post('sys/backup/delete', { place: 'disk', names: ['../x.backup'] })).status).toBe(400)
  })

  it('are one at a time; one whose process died counts as failed and is not in the way', async () => {
    const { body } = await post('sys/backup/make')
    expect((await post('sys/backup/make')).body).toMatchObject({ code: 409, error: 'backup_running' })
    await query("UPDATE backup_run SET beat_at = now() - interval '2 minutes' WHERE id = $1", [body.id])
    expect(await state()).toMatchObject({ run: { state: 'failed', error: 'The making of the backup was interrupted' } })
    expect((await made())?.fault).toBe('')
  })

  it('come by the schedule, keep so many of the newest, and never remove what was made by hand', async () => {
    for (let i = 0; i < 4; i++) {
      server.clock.advance(3600)
      expect(await task({ keep: 2 })).toMatchObject({ result: { made: true } })
    }
    const names = readdirSync(join(server.dataDir, 'backups'))
    expect(names.filter((name) => name.startsWith('scheduled-'))).toHaveLength(2)
    expect(names.filter((name) => name.startsWith('manual-')).length).toBeGreaterThan(0)
  })

  it('are removed by count and by age, the newest never, safety backups by their own count', () => {
    const day = (n: number, prefix = 'scheduled') => ({
      name: `${prefix}-202601${String(n).padStart(2, '0')}-020000.backup`,
      bytes: 1,
    })
    const all = [1, 2, 3, 4].map((n) => day(n))
    const now = Date.parse('2026-01-05T02:00:00Z')
    const keep = { keep: 3, keepDays: 0, keepSafety: 1 }
    expect(outdated(all, keep, now)).toEqual([day(1).name])
    expect(outdated(all, { ...keep, keep: 10, keepDays: 2 }, now)).toEqual([day(2).name, day(1).name])
    expect(outdated(all, { ...keep, keep: 10, keepDays: 1 }, now + 90 * 86_400_000)).toEqual(
      [3, 2, 1].map((n) => day(n).name),
    )
    const safety = [1, 2].map((n) => day(n, 'before-restore'))
    expect(outdated([...safety, day(1, 'manual'), day(1, 'tidegate')], keep, now)).toEqual([safety[0]?.name])
  })
})

describe('storage that speaks S3', () => {
  let s3: TestS3
  beforeAll(async () => {
    s3 = await startS3('backups')
  })
  afterAll(() => s3.close())
  const target = (more: object = {}) => ({ target: 's3', ...s3.settings, prefix: 'tg/', ...more })

  it('is tried before it is stored: what does not work is refused at its field', async () => {
    const refused = await setUp(target({ bucket: 'not-there' }))
    expect(refused.body).toMatchObject({ code: 400, errors: [{ path: 'target.endpoint' }] })
    expect(await state()).toMatchObject({ target: 'disk' })
    expect((await setUp(target())).status).toBe(200)
  })

  it('takes scheduled backups, lists, gives and deletes them', async () => {
    const run = await task()
    expect(run).toMatchObject({ result: { made: true } })
    const { body } = await post('sys/backup/list')
    const [found] = (body.data as { list: { name: string; bytes: number }[] }).list
    expect(found).toMatchObject({ place: 's3', kind: 'scheduled', fault: '' })
    const ticket = await post('sys/config/export/ticket', { proof: await proofOf(), name: found?.name, place: 's3' })
    const fetched = await get(`sys/config/export/db?ticket=${ticket.body.ticket}`)
    expect(Number(fetched.headers['content-length'])).toBe(found?.bytes)
    const asked = { passphrase: 'another passphrase', name: found?.name, place: 's3' }
    const wrong = await post('sys/backup/restore', { ...asked, proof: await proofOf() })
    expect(wrong.body).toMatchObject({ code: 400, errors: [{ path: 'passphrase' }] })
    // What was fetched from there to be proved is gone again.
    expect(readdirSync(join(server.dataDir, 'restore'))).toEqual([])
    expect((await post('sys/backup/delete', { place: 's3', names: [found?.name] })).status).toBe(200)
    expect((await post('sys/backup/list')).body.data).toMatchObject({ totalCount: 0 })
    expect((await setUp()).status).toBe(200)
  })
})

describe('an export', () => {
  it('is of the moment of its fetching, sealed with its own passphrase, audited, and not kept', async () => {
    const before = readdirSync(join(server.dataDir, 'backups')).length
    const own = 'another one of this moment'
    const asked = await post('sys/config/export/ticket', { proof: await proofOf(), passphrase: own })
    const response = await server.app.server.inject({
      method: 'GET',
      url: `/antsxdp/sys/config/export/db?ticket=${asked.body.ticket}`,
      headers: { token },
    })
    expect(response.headers['content-disposition']).toMatch(/tidegate-\d{8}-\d{6}\.backup/)
    async function* once() {
      yield response.rawPayload
    }
    const { readMigrations } = await import('../../platform/migrate.ts')
    const known = await readMigrations(MIGRATIONS)
    expect((await verifyBackup(once(), own, known)).header.by).toBe('admin')
    expect(readdirSync(join(server.dataDir, 'backups'))).toHaveLength(before)
    expect((await actions()).slice(-2)).toEqual(['config.exportTicket', 'config.export'])
    const missing = await post('sys/config/export/ticket', { proof: 'x' })
    expect(missing.body).toMatchObject({ errors: [{ path: 'passphrase' }] })
  })
})

describe('an import', () => {
  let good: Buffer
  beforeEach(async () => {
    good ??= bytesOf((await made())?.name ?? '')
  })

  it('is refused whole at its field, in the caller’s language, and nothing changes', async () => {
    const flipped = Buffer.from(good)
    flipped[good.length >> 1] = (flipped[good.length >> 1] ?? 0) ^ 1
    const cases = [
      { file: good.subarray(0, good.length - 1), field: 'file', key: 'backup_damaged' },
      { file: good.subarray(0, 100), field: 'file', key: 'backup_damaged' },
      { file: flipped, field: 'file', key: 'backup_damaged' },
      { file: Buffer.alloc(70_000, 7), field: 'file', key: 'backup_foreign' },
      {
        file: Buffer.from(good.toString('latin1').replace('"format":1', '"format":9'), 'latin1'),
        field: 'file',
        key: 'backup_newer',
      },
      { file: good, field: 'passphrase', key: 'backup_passphrase', passphrase: 'not the passphrase of it' },
    ] as const
    const rows = async () => (await query('SELECT count(*)::int AS n FROM installation')).rows
    const before = await rows()
    for (const lang of LANGUAGES)
      for (const { file, field, key, ...more } of cases) {
        const fields = { proof: await proofOf(), passphrase: PASSPHRASE, ...more }
        const { body } = await importing(file, fields, lang)
        const errors = body.errors as { path: string; msg: string }[]
        expect([key, body.code, errors?.[0]?.path]).toEqual([key, 400, field])
        expect(errors[0]?.msg).toContain(FIELD_ERRORS[key][lang].replace(/\{.*$/s, '').replace(/（$|\($/, ''))
        expect(readdirSync(join(server.dataDir, 'restore'))).toEqual([])
      }
    expect(await rows()).toEqual(before)
    const none = await post('sys/config/import/db', { proof: 'x', passphrase: PASSPHRASE })
    expect(none.body).toMatchObject({ code: 400, errors: [{ path: 'file' }] })
    const unproved = await importing(good, { proof: 'x', passphrase: PASSPHRASE })
    expect(unproved.body).toMatchObject({ code: 409, error: 'proof_expired' })
    expect((await actions()).includes('config.import')).toBe(false)
  })

  it('shows in the state that a backup still comes in, for who lost the answer to a proxy', async () => {
    const seen: unknown[] = []
    const proof = await proofOf()
    const part = (name: string, value: string, more = '') =>
      `--edge\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}`
    const body = async function* () {
      yield `${part('proof', proof)}\r\n${part('passphrase', PASSPHRASE)}\r\n${part('file', 'no ', '; filename="x.backup"')}`
      await expect.poll(async () => (await state()).restoring, { timeout: 20_000 }).toBe(true)
      seen.push((await state()).restoring)
      yield 'backup\r\n--edge--\r\n'
    }
    const { statusCode } = await server.app.server.inject({
      ...{ method: 'POST', url: '/antsxdp/sys/config/import/db', payload: Readable.from(body()) },
      headers: { token, 'content-type': 'multipart/form-data; boundary=edge' },
    })
    expect([statusCode, seen, (await state()).restoring]).toEqual([400, [true], false])
  })

  it('that is right is left to the next start, which restores it after a safety backup', async () => {
    await query("INSERT INTO node_group (name, cname_zone) VALUES ('after the backup', 'z.test')")
    const { body, status } = await importing(good, { proof: await proofOf(), passphrase: PASSPHRASE })
    expect([status, body.version]).toEqual([200, expect.any(String)])
    expect(await state()).toMatchObject({ restoring: true, restore: null })
    const twice = await importing(good, { proof: await proofOf(), passphrase: PASSPHRASE })
    expect(twice.body).toMatchObject({ code: 503, error: 'restoring' })
    // Sealed, and neither the passphrase nor the proof in the clear.
    const staged = readFileSync(join(server.dataDir, 'restore', 'request.json'), 'utf8')
    expect(staged).not.toContain(PASSPHRASE)

    const { context } = server.built
    const { env } = context
    let pages = 0
    const resume = (patience: number) =>
      resumeRestore({
        env,
        ...{ log: createLog('silent', 'test'), version: 'test', migrations: MIGRATIONS, carriers: RESTORE_CARRIERS },
        now: () => server.clock.now(),
        maintenance: async () => {
          pages++
          return { close: async () => {} }
        },
        patience,
      })
    // Another process of the control plane goes on: nothing is touched, and it says so.
    await resume(0)
    expect(await state()).toMatchObject({ restoring: false, restore: { ok: false, by: 'admin', name: 'uploaded' } })
    expect((await query("SELECT FROM node_group WHERE name = 'after the backup'")).rowCount).toBe(1)

    expect((await importing(good, { proof: await proofOf(), passphrase: PASSPHRASE })).status).toBe(200)
    await server.app.stop()
    await server.built.plane.publish.close()
    await closeContext(context)
    await resume(10_000)
    expect(pages).toBe(2)
    const outcome = JSON.parse(readFileSync(join(server.dataDir, 'restore', 'outcome.json'), 'utf8')) as object
    expect(outcome).toMatchObject({ ok: true, error: '', safety: expect.stringMatching(/^before-restore-/) })
    expect(readdirSync(join(server.dataDir, 'restore'))).toEqual(['outcome.json'])
    const client = new pg.Client({ connectionString: server.database.ownerUrl })
    await client.connect()
    const count = async (text: string) => (await client.query(text)).rowCount
    expect(await count("SELECT FROM node_group WHERE name = 'after the backup'")).toBe(0)
    expect(await count('SELECT FROM session')).toBe(0)
    expect(await count("SELECT FROM audit_log WHERE action = 'config.restored' AND actor_name = 'admin'")).toBe(1)
    expect(await count("SELECT FROM installation WHERE key = 'restoring'")).toBe(0)
    expect(await count("SELECT FROM backup_run WHERE state IN ('waiting', 'running')")).toBe(0)
    await client.end()
    // Nothing is asked for any more: the next start restores nothing.
    await resume(0)
    expect(pages).toBe(2)
    // For the clean-up after this file.
    server.app.stop = async () => {}
    server.built.context.database.close = async () => {}
    rmSync(join(server.dataDir, 'restore'), { recursive: true })
  })
})
