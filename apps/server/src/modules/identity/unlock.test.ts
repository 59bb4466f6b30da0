import { LOGIN_MAX_FAILURES } from '@tidegate/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const unlock = (token: string, password: string) =>
  call(server, 'sys/user/unlock', { token, headers: { lang: 'en' }, body: { password } })

describe('the password of a locked screen', () => {
  it('is the account’s own, and a wrong one is told at its field', async () => {
    const token = await adminToken(server)
    expect((await unlock(token, ADMIN_PASSWORD)).status).toBe(200)
    const wrong = await unlock(token, 'not-the-password')
    expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ path: 'password' }]])
    expect((await unlock(token, '')).body.errors).toMatchObject([{ path: 'password' }])
  })

  it('is put off by the throttle of logins once it was wrong too often, even when it is right then', async () => {
    const token = await adminToken(server)
    for (let i = 0; i < LOGIN_MAX_FAILURES.account; i++) await unlock(token, `wrong-${i}`)
    expect((await unlock(token, ADMIN_PASSWORD)).status).toBe(429)
    expect((await call(server, 'sys/login', { body: { username: 'admin', password: ADMIN_PASSWORD } })).status).toBe(
      429,
    )
    const { rows } = await server.built.context.database.pool.query(
      "SELECT count(*)::int AS n FROM audit_log WHERE action = 'auth.unlock.failed' AND target = 'admin 1'",
    )
    expect(rows[0].n).toBeGreaterThanOrEqual(LOGIN_MAX_FAILURES.account)
  })

  it('is a customer’s own in a customer’s console, whatever administrator has the same number', async () => {
    const customer = await createCustomer(server, 'unlocking-customer')
    await server.built.context.database.pool.query("UPDATE admin SET password_hash = 'none'")
    expect((await unlock(customer.token, ADMIN_PASSWORD)).status).toBe(200)
    expect((await unlock(customer.token, 'not-the-password')).status).toBe(400)
    expect((await unlock('', ADMIN_PASSWORD)).status).toBe(401)
  })
})
