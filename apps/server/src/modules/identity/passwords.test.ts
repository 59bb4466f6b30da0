import { hash } from '@node-rs/argon2'
import { fitsPolicy } from '@tidegate/contract/config/login'
import { password as passwordForm } from '@tidegate/contract/validators'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'
import { createHasher, isOutdated } from './hasher.ts'

describe('passwords', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer({ TIDEGATE_LOGIN_CAPTCHA: 'off' })
  })
  afterAll(() => server.close())
  const sql = (text: string, values: unknown[] = []) => server.built.context.database.pool.query(text, values)
  const TABLES = [
    ['admin', 'sys/login', 'admin'],
    ['customer', 'app/login', 'weak.one'],
  ] as const

  it('hashed by weaker parameters are hashed anew at the next right login, and by it only', async () => {
    await createCustomer(server, 'weak.one')
    const weak = await hash(ADMIN_PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    expect(isOutdated(weak)).toBe(true)
    expect(isOutdated('$2b$10$abcdefghijklmnopqrstuv')).toBe(true)
    expect(isOutdated(await createHasher().hash('x'))).toBe(false)
    for (const [table, path, username] of TABLES) {
      await sql(`UPDATE ${table} SET password_hash = $1 WHERE username = $2`, [weak, username])
      const stored = async () =>
        String((await sql(`SELECT password_hash AS h FROM ${table} WHERE username = $1`, [username])).rows[0]?.h)
      const login = (password: string) => call(server, path, { body: { username, password } })
      await login('wrong')
      expect(await stored()).toBe(weak)
      expect((await login(ADMIN_PASSWORD)).status).toBe(200)
      const fresh = await stored()
      expect(isOutdated(fresh)).toBe(false)
      expect((await login(ADMIN_PASSWORD)).status).toBe(200)
      expect(await stored()).toBe(fresh)
    }
  })

  it('have 4 to 32 characters and no Chinese ones; a stricter policy counts lengths and kinds', () => {
    for (const [text, good] of [
      ['abc', false],
      ['abcd', true],
      ['a'.repeat(32), true],
      ['a'.repeat(33), false],
      ['密码密码', false],
      ['pass密word', false],
    ] as const)
      expect([text, passwordForm.safeParse(text).success]).toEqual([text, good])
    const policy = { minLength: 10, classes: 3 }
    expect(fitsPolicy('Abcdefgh12', policy)).toBe(true)
    expect(fitsPolicy('Abcdefg12', policy)).toBe(false)
    expect(fitsPolicy('abcdefgh12', policy)).toBe(false)
    expect(fitsPolicy('abcdefgh1!', policy)).toBe(true)
  })

  it('follow a stricter policy wherever a new one is set, and never where one is only used', async () => {
    await createCustomer(server, 'policy.one')
    const token = await adminToken(server)
    const policy = { password: { minLength: 24, classes: 4 } }
    await sql(`INSERT INTO setting (key, value) VALUES ('login', $1)`, [JSON.stringify(policy)])
    server.clock.advance(10)
    expect((await call(server, 'sys/common/index', { method: 'GET' })).body.passwordPolicy).toEqual(policy.password)
    const customer = await call(server, 'app/login', { body: { username: 'policy.one', password: ADMIN_PASSWORD } })
    const refusal = (path: string) => [
      { path, msg: 'a password needs 24 characters and 4 of: capitals, small letters, digits, signs' },
    ]
    const weak = 'Short-1'
    const customerId = Number((await sql("SELECT id FROM customer WHERE username = 'policy.one'")).rows[0]?.id)
    const cases = [
      ['sys/user/save', token, { username: 'new.admin', password: weak, roleIds: [] }, 'password'],
      ['sys/user/password', token, { password: ADMIN_PASSWORD, newPassword: weak }, 'newPassword'],
      ['sys/account/user/save', token, { username: 'new.one', password: weak }, 'password'],
      ['sys/account/user/password', token, { id: customerId, newPassword: weak }, 'newPassword'],
      ['app/register', '', { username: 'new.one', password: weak }, 'password'],
      ['app/reset-password', '', { address: 'a@mail.example', code: '123456', newPassword: weak }, 'newPassword'],
      [
        'app/account/password',
        String(customer.body.token),
        { password: ADMIN_PASSWORD, newPassword: weak },
        'newPassword',
      ],
    ] as const
    for (const [path, as, body, field] of cases)
      expect([path, (await call(server, path, { ...(as && { token: as }), body })).body.errors]).toEqual([
        path,
        refusal(field),
      ])
    const made = await call(server, 'sys/user/save', {
      token,
      body: { username: 'new.admin', password: 'Long-enough-Password-1234', roleIds: [] },
    })
    expect(made.status).toBe(200)
    const reset = await call(server, 'sys/user/password/reset', {
      token,
      body: { id: made.body.id, newPassword: weak },
    })
    expect(reset.body.errors).toEqual(refusal('newPassword'))
    // The first administrator's given password is weaker and still lets in.
    expect((await call(server, 'sys/login', { body: { username: 'admin', password: ADMIN_PASSWORD } })).status).toBe(
      200,
    )
    expect(await server.built.identity.ensureFirstAdmin()).toBe(false)
  })
})
