/** Who is told of a work order, and who is not. */
import type { SenderInfo } from '@tidegate/contract/operations/work-order'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/customers.ts'
import { type Body, workDesk } from '../../testing/work-orders.ts'

describe('work orders', () => {
  let server: TestServer
  let token: string
  let anna: TestCustomer
  let ben: TestCustomer
  let category = 0
  const { staff, own, look, open, detail, ownDetail, ask, answer, move, rate, appeal, news, query } = workDesk(() => ({
    server,
    token,
    category,
  }))
  beforeAll(async () => {
    server = await testServer()
    token = await adminToken(server)
    anna = await createCustomer(server, 'anna')
    ben = await createCustomer(server, 'ben')
    category = Number((await staff('category/save', { title: 'Domains' })).body.id)
  })
  afterAll(() => server.close())

  it('count for the staff while they wait, for customers while replies are unread [S2.14]', async () => {
    const badge = async (login: string) => (await look(login, 'sys/common/index')).body.wkCount
    const counts = async () => [await badge(token), await badge(anna.token), await badge(ben.token)]
    expect(await counts()).toEqual([0, 0, 0])
    const [one, two] = [await open(anna), await open(ben)]
    expect(await counts()).toEqual([2, 0, 0])
    const first = (await news(token)).lastId as number
    await answer(one)
    await answer(one, 'hidden', { internal: true })
    await answer(one)
    expect(await counts()).toEqual([1, 2, 0])
    expect(await news(anna.token)).toMatchObject({ newSum: 2 })
    expect((await news(token)).lastId).toBe(first)
    await ask(anna, one)
    expect((await news(token)).lastId).toBeGreaterThan(first)
    expect(await counts()).toEqual([2, 2, 0])
    await own(anna, 'wol/read', { id: one })
    expect(await counts()).toEqual([2, 0, 0])
    await move(two, 'reject', 'no')
    expect(await counts()).toEqual([1, 0, 1])
    await createAdmin(server, 'elsewhere', ['cdn:node:list'])
    expect(await badge(await loginAs(server, 'elsewhere'))).toBe(0)
    await staff('wol/bat/delete', { ids: [one, two] })
  })

  it('hide notes and names of helpers from the customer, and tell of replies by mailbox and mail', async () => {
    await query(`UPDATE customer SET email = 'anna@mail.example' WHERE id = $1`, [anna.id])
    const id = await open(anna)
    await answer(id, 'for us alone', { internal: true })
    expect(JSON.stringify(await ownDetail(anna, id))).not.toContain('for us alone')
    expect(await ownDetail(anna, id)).toMatchObject({ unread: 0, label: 'pending' })
    const told = async () =>
      (await query(`SELECT channel FROM notice WHERE event = 'work_order_reply' ORDER BY id`)).rows
    const count = (await told()).length
    await answer(id, 'for you')
    expect((await told()).slice(count).map((r) => r.channel)).toEqual(expect.arrayContaining(['message', 'mail']))
    const { body } = await call(server, '/api/app/common/notice/list', { token: anna.token, body: {} })
    expect((body.data as { list: Body[] }).list[0]).toMatchObject({
      ...{ type: 3, link: `/cdn/work-order/list/detail?id=${id}` },
    })
    await staff('wol/bat/delete', { ids: [id] })
  })

  it('tell the staff of a new order and of an appeal, on the channels of its own and in words of the site’s language', async () => {
    await call(server, 'sys/notify/channel/save', { token, body: { mail: { to: 'staff@mail.example' } } })
    await query("DELETE FROM notice WHERE owner_kind = 'operator'")
    const told = async () =>
      (await query(`SELECT event, channel, address, vars FROM notice WHERE owner_kind = 'operator' ORDER BY id`)).rows
    const id = await open(anna, { title: 'Slow {site}' })
    await ask(anna, id)
    await rate(anna, id, 1, false)
    await appeal(anna, id, 'still broken')
    const common = { channel: 'mail', address: 'staff@mail.example' }
    const vars = { id: String(id), title: 'Slow {site}', customer: 'anna' }
    expect(await told()).toEqual([
      { event: 'work_order_new', ...common, vars },
      { event: 'work_order_appeal', ...common, vars: { ...vars, reason: 'still broken' } },
    ])
    await staff('wol/bat/delete', { ids: [id] })
  })

  it('name the administrator who writes in the customer’s place, in the order and in the log', async () => {
    const id = await open(anna)
    const handover = await call(server, 'sys/account/user/impersonate', {
      token,
      body: { id: anna.id, reason: 'asked for help' },
    })
    const code = String(handover.body.handover ?? '')
    const enter = await call(server, '/api/app/impersonate/enter', { body: { code } })
    const acting = { id: anna.id, token: String(enter.body.token) }
    await answer(id)
    await own(acting, 'wol/read', { id })
    expect((await ownDetail(anna, id)).unread).toBe(1)
    expect((await ask(acting, id, 'by another hand')).status).toBe(200)
    expect(((await detail(id)).senderInfos as SenderInfo[]).at(-1)).toMatchObject({
      sender: 'user',
      actingName: 'admin',
    })
    expect(((await ownDetail(anna, id)).senderInfos as SenderInfo[]).at(-1)).toMatchObject({ actingName: '' })
    const { rows } = await query(
      `SELECT actor_name, acting_name FROM audit_log WHERE action = 'ownOrder.send' ORDER BY id DESC LIMIT 1`,
    )
    expect(rows).toEqual([{ actor_name: 'anna', acting_name: 'admin' }])
    await staff('wol/bat/delete', { ids: [id] })
  })
})
