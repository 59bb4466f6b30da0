import { operations } from '@tidegate/contract/operations/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer } from '../../testing/customers.ts'

describe('a login in another’s place', () => {
  let server: TestServer
  let token: string
  beforeAll(async () => {
    server = await testServer()
    token = await adminToken(server)
  })
  afterAll(() => server.close())

  const query = (text: string, values: unknown[] = []) => server.built.context.database.pool.query(text, values)
  const enter = async (handover: unknown) => call(server, 'app/impersonate/enter', { body: { code: handover } })
  const impersonate = async (id: number, by = token) => {
    const { body } = await call(server, 'sys/account/user/impersonate', { token: by, body: { id, reason: 'ticket 7' } })
    return (await enter(body.handover)).body
  }
  const preview = async (roleId: number, by = token) => {
    const { body } = await call(server, 'sys/role/preview', { token: by, body: { id: roleId } })
    return (await enter(body.handover)).body
  }
  const info = (own: unknown) => call(server, 'app/account/info', { method: 'GET', token: String(own) })

  describe('for a customer', () => {
    it('needs a reason, and a code that is good once, for a minute', async () => {
      const { id } = await createCustomer(server, 'helped')
      const ask = (reason: string) => call(server, 'sys/account/user/impersonate', { token, body: { id, reason } })
      expect((await ask(' ')).body).toMatchObject({ errors: [{ path: 'reason' }] })
      const first = (await ask('ticket 7')).body.handover
      const entered = await enter(first)
      expect(entered.body.acting).toEqual({ kind: 'impersonation', name: 'helped', by: 'admin', reason: 'ticket 7' })
      expect((await info(entered.body.token)).body.data).toMatchObject({ username: 'helped' })
      expect((await enter(first)).body).toMatchObject({ error: 'code_expired' })
      const late = (await ask('ticket 7')).body.handover
      server.clock.advance(61)
      expect((await enter(late)).body).toMatchObject({ error: 'code_expired' })
      expect((await enter('x')).body).toMatchObject({ error: 'code_expired' })
    })

    it('changes things in the customer’s name, and every row of the log says who really did', async () => {
      const { id, token: own } = await createCustomer(server, 'acted-for')
      const acting = await impersonate(id)
      const saved = await call(server, 'sys/cdn/site/save', {
        token: String(acting.token),
        body: { domains: ['acted.example'], originProtocol: 'http', origins: [{ host: 'o.example' }] },
      })
      expect(saved.status).toBe(200)
      await call(server, 'app/impersonate/leave', { token: String(acting.token) })
      expect((await info(acting.token)).status).toBe(401)
      const users = await call(server, 'sys/cdn/log/users', { token, body: { userId: id, order: 'asc' } })
      const rows = (users.body.data as { list: { action: string; actorName: string; actingName: string }[] }).list
      expect(rows.map((r) => [r.action, r.actorName, r.actingName])).toEqual([
        ['customer.impersonate', 'admin', ''],
        ['acting.enter', 'acted-for', 'admin'],
        ['site.save', 'acted-for', 'admin'],
        ['acting.leave', 'acted-for', 'admin'],
      ])
      const admins = await call(server, 'sys/cdn/log/admins', { token, body: { action: 'customer.impersonate' } })
      expect((admins.body.data as { list: unknown[] }).list[0]).toMatchObject({
        target: `customer ${id}`,
        actorName: 'admin',
      })
      // The customer sees that somebody acted, not who of the staff it was.
      const log = (await call(server, 'app/log/list', { token: own, body: {} })).body.data as {
        list: Record<string, unknown>[]
      }
      expect(log.list.map((r) => r.action)).toEqual([
        'acting.leave',
        'site.save',
        'acting.enter',
        'customer.impersonate',
      ])
      expect(log.list[1]).toMatchObject({ acting: true, actingName: '', ip: '' })
      expect(log.list[3]).toMatchObject({ actorName: '', ip: '', changed: false })
    })

    it('cannot change passwords, bind addresses or hand in names: nothing that is the owner’s alone', async () => {
      const { id } = await createCustomer(server, 'guarded')
      const acting = await impersonate(id)
      const alone = operations.filter((op) => op.ownOnly === true && op.audience !== 'admin')
      expect(alone.map((op) => op.id)).toEqual(
        expect.arrayContaining(['account.password', 'profile.bind', 'profile.code', 'profile.realName']),
      )
      for (const op of alone) {
        const reply = await call(server, op.path, { method: op.method, token: String(acting.token), body: {} })
        expect([op.id, reply.body.error]).toEqual([op.id, 'owner_only'])
      }
    })

    it('leaves no operation about passwords, keys or money to who acts for the owner', () => {
      const named = /password|totp|passkey|recovery|apikey|secret|recharge|refund|withdraw|\.pay\b/i
      const open = operations.filter(
        (op) =>
          op.effect === 'write' &&
          (op.audience === 'user' || op.audience === 'any') &&
          (named.test(op.id) || named.test(op.path)) &&
          op.ownOnly !== true,
      )
      expect(open.map((op) => op.id)).toEqual([])
    })

    it('ends with the administrator’s own login, however that ends', async () => {
      await createAdmin(server, 'helper', ['account:users:users:impersonate'])
      const { id } = await createCustomer(server, 'left-alone')
      const own = await loginAs(server, 'helper')
      const acting = await impersonate(id, own)
      expect((await info(acting.token)).status).toBe(200)
      await call(server, 'sys/logout', { token: own })
      expect((await info(acting.token)).status).toBe(401)

      const idle = await loginAs(server, 'helper')
      const second = await impersonate(id, idle)
      await query("UPDATE session SET used_at = used_at - interval '3 hours' WHERE acting_by IS NULL AND admin_id <> 1")
      expect((await info(second.token)).status).toBe(401)

      const third = await impersonate(id, await loginAs(server, 'helper'))
      await query("UPDATE admin SET enabled = false WHERE username = 'helper'")
      await query(
        "DELETE FROM session WHERE acting_by IS NULL AND admin_id = (SELECT id FROM admin WHERE username = 'helper')",
      )
      expect((await info(third.token)).status).toBe(401)
    })

    it('ends when the customer is disabled, and does not begin for one who is', async () => {
      const { id } = await createCustomer(server, 'shut-out')
      const acting = await impersonate(id)
      await call(server, 'sys/account/user/enable', { token, body: { ids: [id], enabled: false } })
      expect((await info(acting.token)).status).toBe(401)
      const again = await call(server, 'sys/account/user/impersonate', { token, body: { id, reason: 'x' } })
      expect(again.body).toMatchObject({ error: 'account_disabled' })
    })

    it('is what `leave` ends, and no other login', async () => {
      const { token: own } = await createCustomer(server, 'own-login')
      expect((await call(server, 'app/impersonate/leave', { token: own })).body).toMatchObject({ error: 'forbidden' })
    })
  })

  describe('as a role', () => {
    it('has exactly the role’s rights, and reads only', async () => {
      await createAdmin(server, 'for-role', ['cdn:site:list', 'cdn:site:save'])
      const { rows } = await query("SELECT id FROM role WHERE name = 'role of for-role'")
      const seen = await preview(Number(rows[0].id))
      expect(seen.acting).toEqual({ kind: 'preview', name: 'role of for-role', by: 'admin', reason: '' })
      const own = String(seen.token)
      const user = await call(server, 'sys/user/info', { method: 'GET', token: own })
      expect(user.body.user).toMatchObject({ superAdmin: false, permissions: ['cdn:site:list', 'cdn:site:save'] })
      expect((await call(server, 'sys/cdn/site/list', { token: own })).status).toBe(200)
      expect((await call(server, 'sys/cdn/log/admins', { token: own })).body).toMatchObject({ error: 'forbidden' })
      for (const op of operations.filter(
        (o) => o.effect === 'write' && o.audience !== 'user' && o.audience !== 'public',
      )) {
        if (op.permission !== 'login' && !['cdn:site:list', 'cdn:site:save'].includes(op.permission ?? '')) continue
        if (op.id === 'acting.leave') continue
        const reply = await call(server, op.path, { method: op.method, token: own, body: {} })
        expect([op.id, reply.body.error]).toEqual([op.id, 'preview_only'])
      }
      expect((await call(server, 'app/impersonate/leave', { token: own })).status).toBe(200)
      expect((await call(server, 'sys/cdn/site/list', { token: own })).status).toBe(401)
    })

    it('is refused for a role beyond the caller’s own rights', async () => {
      await createAdmin(server, 'small', ['account:role:list'])
      const own = await loginAs(server, 'small')
      const reply = await call(server, 'sys/role/preview', { token: own, body: { id: 1 } })
      expect(reply.body).toMatchObject({ error: 'beyond_rights' })
    })
  })
})
