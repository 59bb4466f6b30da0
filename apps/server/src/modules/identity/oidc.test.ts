import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin } from '../../testing/admins.ts'
import { ADMIN_PASSWORD, adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { startOidcProvider, type TestProvider } from '../../testing/oidc.ts'

type Json = Record<string, unknown>
const REDIRECT = 'http://localhost/admin/'

describe('logging in at an outside OpenID provider', () => {
  let server: TestServer
  let provider: TestProvider
  let role = 0
  beforeAll(async () => {
    server = await testServer({ TIDEGATE_LOGIN_CAPTCHA: 'off' })
    provider = await startOidcProvider(REDIRECT, 'outside-Secret')
    await createAdmin(server, 'helper', ['home:overview'])
    const { rows } = await sql(`SELECT id FROM role WHERE name = 'role of helper'`)
    role = Number(rows[0]?.id)
  })
  afterAll(async () => {
    await provider?.close()
    await server?.close()
  })
  beforeEach(() => set({}))

  const sql = (text: string, values: unknown[] = []) => server.built.context.database.pool.query(text, values)
  const set = async (more: Json) => {
    const { issuer } = provider
    const value = { enabled: true, issuer, clientId: 'tidegate', clientSecret: 'outside-Secret', name: 'Corp', ...more }
    const saved = await call(server, 'sys/config/save', {
      token: await adminToken(server),
      body: { paramKey: 'oidc_config', paramValue: JSON.stringify(value) },
    })
    expect(saved.body.errors).toBeUndefined()
    // Settings are remembered for some seconds.
    server.clock.advance(10)
  }
  const start = () => call(server, 'sys/login/oidc')
  const finish = (ticket: unknown, query: string) => call(server, 'sys/login/oidc/finish', { body: { ticket, query } })
  const login = async (account: string) => {
    const { body } = await start()
    return finish(body.ticket, await provider.visit(String(body.url), account))
  }

  it('goes there with PKCE, state and nonce, and is told of on the login page', async () => {
    const { body } = await start()
    const url = new URL(String(body.url))
    expect(url.origin).toBe(provider.issuer)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'tidegate',
      redirect_uri: REDIRECT,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/.{20}/),
      nonce: expect.stringMatching(/.{20}/),
    })
    expect(body.url).not.toContain('outside-Secret')
    const index = await call(server, 'sys/common/index', { method: 'GET' })
    expect(index.body.oidc).toEqual({ name: 'Corp' })
    expect(JSON.stringify(index.body)).not.toContain('outside-Secret')
  })

  it('lets in who is linked; linking takes the password', async () => {
    expect((await login('boss')).body).toMatchObject({ code: 403, error: 'oidc_unknown' })
    const token = await adminToken(server)
    const link = (password: string) => call(server, 'sys/login/oidc/link', { token, body: { password } })
    expect((await link('wrong-one')).status).toBe(400)
    const begun = await link(ADMIN_PASSWORD)
    const linked = await finish(begun.body.ticket, await provider.visit(String(begun.body.url), 'boss'))
    expect(linked.status).toBe(200)
    const entered = await login('boss')
    expect(entered.body).toMatchObject({ code: 1, token: expect.stringMatching(/^[\w-]{43}$/) })
    const info = await call(server, 'sys/user/info', { method: 'GET', token: String(entered.body.token) })
    expect(info.body).toMatchObject({ user: { username: 'admin' } })
  })

  it('makes an account with the chosen role, once, without a password, and never a super administrator', async () => {
    await set({ autoCreateRole: 1 })
    expect((await login('climber')).body.error).toBe('oidc_unknown')
    await set({ autoCreateRole: role })
    const [one, two] = [await login('newcomer'), await login('newcomer')]
    for (const reply of [one, two]) {
      const info = await call(server, 'sys/user/info', { method: 'GET', token: String(reply.body.token) })
      expect(info.body).toMatchObject({
        user: { username: 'newcomer.name', superAdmin: false, permissions: ['home:overview'] },
      })
    }
    for (const password of ['!', '', 'x'])
      expect(
        (await call(server, 'sys/login', { body: { username: 'newcomer.name', password: password || ' ' } })).body
          .error,
      ).toBe('login_wrong')
    await sql(`UPDATE admin SET enabled = false WHERE username = 'newcomer.name'`)
    expect((await login('newcomer')).body.error).toBe('account_disabled')
  })

  it('keeps out who lacks the claim', async () => {
    await set({ autoCreateRole: role, claim: 'groups', claimValue: 'staff' })
    expect((await login('stranger')).body).toMatchObject({ error: 'oidc_not_allowed' })
    expect((await login('colleague')).status).toBe(200)
  })

  it('refuses what was changed, mixed up, used before, or came too late', async () => {
    await set({ autoCreateRole: role })
    const begin = async () => {
      const { body } = await start()
      return { ticket: body.ticket, query: await provider.visit(String(body.url), 'colleague') }
    }
    const [mine, theirs] = [await begin(), await begin()]
    // Another's code in this browser.
    expect((await finish(mine.ticket, theirs.query)).body.error).toBe('oidc_failed')
    expect((await finish(mine.ticket, mine.query)).body.error).toBe('ticket_expired')
    const forged = await begin()
    expect((await finish(forged.ticket, forged.query.replace(/code=[^&]+/, 'code=forged'))).body.error).toBe(
      'oidc_failed',
    )
    const replayed = await begin()
    expect((await finish(replayed.ticket, replayed.query)).status).toBe(200)
    expect((await finish(replayed.ticket, replayed.query)).body.error).toBe('ticket_expired')
    const late = await begin()
    server.clock.advance(301)
    expect((await finish(late.ticket, late.query)).body.error).toBe('ticket_expired')
    const denied = await start()
    expect((await finish(denied.body.ticket, '?error=access_denied')).body.error).toBe('oidc_failed')
  })

  it('needs a provider that is there, by https unless it is on this machine', async () => {
    await set({ enabled: false })
    expect((await start()).body.error).toBe('oidc_off')
    for (const issuer of ['http://192.0.2.1', 'ftp://127.0.0.1', 'nonsense', 'http://127.0.0.1:1']) {
      await set({ issuer })
      expect([issuer, (await start()).body.error]).toEqual([issuer, 'oidc_unreachable'])
    }
  })
})
