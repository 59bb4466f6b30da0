/** Real names at the identity API: three providers as simulators that verify what they are sent, and what becomes of a customer's name. */
import {
  aliyunIdentitySimulator,
  type KnownPerson,
  marketIdentitySimulator,
  tencentIdentitySimulator,
} from '@tidegate/testkit/identity-apis'
import type { Simulator } from '@tidegate/testkit/providers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'
import { saveConfig } from '../../testing/settings.ts'

const PERSON: KnownPerson = { name: '张三丰', number: '11010519491231002X' }
const OTHER = '440524188001010014'

describe('the identity API', () => {
  let server: TestServer
  const sims: Record<string, Simulator> = {}
  const CONFIGS: Record<string, Record<string, string>> = {
    aliyun: { provider: 'aliyun', accessKeyId: 'AK1', accessKeySecret: 'aliyun-Secret' },
    tencent: { provider: 'tencent', secretId: 'ID1', secretKey: 'tencent-Secret' },
    http: { provider: 'http', appCode: 'market-Code' },
  }
  const NAMES = Object.keys(CONFIGS)
  beforeAll(async () => {
    sims.aliyun = await aliyunIdentitySimulator('AK1', 'aliyun-Secret', PERSON)
    sims.tencent = await tencentIdentitySimulator('ID1', 'tencent-Secret', PERSON)
    sims.http = await marketIdentitySimulator('market-Code', PERSON)
    const realName = { aliyun: sims.aliyun.url, tencent: sims.tencent.url }
    server = await testServer({ TIDEGATE_LOGIN_CAPTCHA: 'off' }, { peers: { realName, timeoutMs: 2_000 } })
    CONFIGS.http = { ...CONFIGS.http, url: `${sims.http.url}/idcard` }
  })
  afterAll(async () => {
    await server?.close()
    for (const sim of Object.values(sims)) await sim.close()
  })
  beforeEach(() => {
    for (const sim of Object.values(sims)) sim.fates.length = 0
  })

  const query = (text: string, values: unknown[] = []) => server.built.context.database.pool.query(text, values)
  const use = async (name: string, more: object = {}) => {
    await saveConfig(server, 'identity_api', { ...CONFIGS[name], ...more })
    // Settings are remembered for some seconds.
    server.clock.advance(10)
  }
  const test = async (body: object) => call(server, 'sys/realname/test', { token: await adminToken(server), body })
  const hand = (token: string, realName: string, idCard: string) =>
    call(server, 'app/account/realname', { token, body: { realName, idCard, consent: true } })
  const state = async (id: number) => {
    const { rows } = await query(
      'SELECT verify_status, verify_reason, verified_at, id_card FROM customer WHERE id = $1',
      [id],
    )
    return rows[0] as { verify_status: string; verify_reason: string; verified_at: Date | null; id_card: string }
  }

  it.each(NAMES)(
    'of %s says whether name and number belong together, by a request that it can verify',
    async (name) => {
      const sim = sims[name]
      const config = CONFIGS[name]
      const ask = async (realName: string, idCard: string) => (await test({ realName, idCard, config })).body.data
      expect(await ask(PERSON.name, PERSON.number)).toMatchObject({ verdict: 'match' })
      expect(await ask('李四', PERSON.number)).toMatchObject({ verdict: 'mismatch' })
      // A market's API says yes or something else.
      expect(await ask(PERSON.name, OTHER)).toMatchObject({ verdict: name === 'http' ? 'mismatch' : 'unknown' })
      expect([sim?.taken.length, sim?.refused]).toEqual([3, []])
    },
  )

  it.each(NAMES)(
    'of %s: wrong credentials, silence and nonsense are failures, in its own words without secrets',
    async (name) => {
      const sim = sims[name]
      const ask = async (more: object = {}) =>
        (await test({ realName: PERSON.name, idCard: PERSON.number, config: { ...CONFIGS[name], ...more } })).body
          .data as {
          verdict: string
          answer: string
        }
      const wrong = await ask({ accessKeySecret: 'wrong-Secret', secretKey: 'wrong-Secret', appCode: 'wrong-Secret' })
      expect(wrong.verdict).toBe('failed')
      expect(wrong.answer).toMatch(/Signature|403/)
      sim?.fates.push('silent', 'cut', { status: 500, body: '<html>' }, { status: 200, body: '[]' }, { code: '-4' })
      for (const text of ['silent', 'cut', 'HTTP 500', 'list', 'code']) {
        const { verdict, answer } = await ask()
        expect([text, verdict]).toEqual([text, 'failed'])
        expect(answer).not.toContain(PERSON.number)
        expect(answer).not.toContain(PERSON.name)
      }
    },
  )

  it('keeps a masked secret for the address it was given for', async () => {
    await use('aliyun')
    const masked = { ...CONFIGS.aliyun, accessKeySecret: '********' }
    const person = { realName: PERSON.name, idCard: PERSON.number }
    expect((await test({ ...person, config: masked })).body.data).toMatchObject({ verdict: 'match' })
    const elsewhere = { ...masked, endpoint: String(sims.http?.url) }
    expect((await test({ ...person, config: elsewhere })).body).toMatchObject({
      errors: [{ path: 'config.accessKeySecret' }],
    })
    expect((await test(person)).body.data).toMatchObject({ verdict: 'match' })
    expect((await test({ ...person, idCard: '110105194912310021' })).body).toMatchObject({
      errors: [{ path: 'idCard' }],
    })
  })

  it('takes GET for a market’s API that wants it', async () => {
    const config = { ...CONFIGS.http, method: 'get' }
    const { body } = await test({ realName: PERSON.name, idCard: PERSON.number, config })
    expect(body.data).toMatchObject({ verdict: 'match' })
    expect(sims.http?.taken.at(-1)).toMatchObject({
      method: 'GET',
      query: { name: PERSON.name, idcard: PERSON.number },
    })
  })

  it('verifies a customer at once, or rejects with the reason; what it cannot tell waits for review [S6.6]', async () => {
    await use('tencent')
    const { id, token } = await createCustomer(server, 'named-at-once')
    const wrong = await hand(token, '李四', PERSON.number)
    expect(wrong.body).toMatchObject({ code: 1, verifyStatus: 'rejected' })
    expect(await state(id)).toMatchObject({
      verify_status: 'rejected',
      verify_reason: 'The name and the number do not belong together',
    })
    expect((await hand(token, PERSON.name, PERSON.number)).body).toMatchObject({ verifyStatus: 'verified' })
    const done = await state(id)
    expect(done).toMatchObject({ verify_status: 'verified', verify_reason: '' })
    expect(done.verified_at).not.toBeNull()
    expect(done.id_card).toMatch(/^v1\./)
    expect((await hand(token, PERSON.name, PERSON.number)).body.error).toBe('conflict')

    const other = await createCustomer(server, 'named-later')
    expect((await hand(other.token, '王五', OTHER)).body).toMatchObject({ verifyStatus: 'pending' })
    sims.tencent?.fates.push({ code: '-4' }, 'cut')
    expect((await hand(other.token, '王五', OTHER)).body).toMatchObject({ verifyStatus: 'pending' })
    expect((await hand(other.token, '王五', OTHER)).body).toMatchObject({ verifyStatus: 'pending' })
    // The staff decides.
    const approved = await call(server, 'sys/account/user/verify', {
      token: await adminToken(server),
      body: { id: other.id, approve: true },
    })
    expect(approved.status).toBe(200)
    expect((await state(other.id)).verify_status).toBe('verified')
  })

  it('asks three times in 24 hours for one customer, and not again for a name and number it knows', async () => {
    await use('aliyun')
    const { token } = await createCustomer(server, 'guesses')
    const before = sims.aliyun?.taken.length ?? 0
    const tries = await Promise.all(
      ['甲一', '乙二', '丙三', '丁四', '戊五'].map((name) => hand(token, name, PERSON.number)),
    )
    expect(tries.map((t) => t.status).sort()).toEqual([200, 200, 200, 429, 429])
    expect(tries.find((t) => t.status === 429)?.body.error).toBe('identity_limit')
    expect((sims.aliyun?.taken.length ?? 0) - before).toBe(3)
    // Another customer with the same name and number: remembered.
    const same = await createCustomer(server, 'same-person')
    const twin = await createCustomer(server, 'twin-person')
    await query(`DELETE FROM identity_check WHERE verdict = 'match'`)
    expect((await hand(same.token, PERSON.name, PERSON.number)).body).toMatchObject({ verifyStatus: 'verified' })
    expect((await hand(twin.token, PERSON.name, PERSON.number)).body).toMatchObject({ verifyStatus: 'verified' })
    expect((sims.aliyun?.taken.length ?? 0) - before).toBe(4)
    server.clock.advance(24 * 3600 + 1)
    const again = await call(server, 'app/login', { body: { username: 'guesses', password: ADMIN_PASSWORD } })
    expect((await hand(String(again.body.token), '己六', PERSON.number)).status).toBe(200)
  })

  it('is not asked without consent, for a child, or while it is switched off; nothing keeps the number in the clear', async () => {
    await use('aliyun')
    const { token } = await createCustomer(server, 'hesitates')
    const body = { realName: PERSON.name, idCard: PERSON.number }
    for (const more of [{}, { consent: false }])
      expect((await call(server, 'app/account/realname', { token, body: { ...body, ...more } })).body).toMatchObject({
        errors: [{ path: 'consent', msg: 'needs your consent' }],
      })
    const year = new Date(server.clock.now()).getUTCFullYear() - 13
    const child = await hand(token, '小明', numberBorn(`${year}0615`))
    expect(child.body).toMatchObject({ errors: [{ path: 'idCard', msg: expect.stringContaining('under 14') }] })
    const asked = sims.aliyun?.taken.length
    const off = { token: await adminToken(server), body: { key: 'identity_api', status: 0 } }
    expect((await call(server, 'sys/config/update/conf/status', off)).status).toBe(200)
    server.clock.advance(10)
    expect((await hand(token, PERSON.name, PERSON.number)).body).toMatchObject({ verifyStatus: 'pending' })
    expect(sims.aliyun?.taken.length).toBe(asked)
    const { rows } = await query(
      `SELECT coalesce(before::text, '') || coalesce(after::text, '') AS text FROM audit_log
       UNION ALL SELECT identity_check::text FROM identity_check UNION ALL SELECT customer::text FROM customer`,
    )
    for (const { text } of rows) expect(text).not.toContain(PERSON.number)
    expect(server.logged()).not.toContain(PERSON.number)
    expect(server.logged()).not.toMatch(/aliyun-Secret|tencent-Secret|market-Code/)
  })
})

/** A well-formed number of someone born on the day (GB 11643, ISO 7064 MOD 11-2). */
const numberBorn = (day: string): string => {
  const head = `110105${day}001`
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  const sum = weights.reduce((n, weight, i) => n + weight * Number(head[i]), 0)
  return head + '10X98765432'[sum % 11]
}
