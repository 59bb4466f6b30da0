/** The desk around work orders: pictures, search and assignment, categories, quick replies, limits. */
import { MAX_OPEN_WORK_ORDERS } from '@tidegate/contract/limits'
import { contentOf, contentText } from '@tidegate/contract/work-order'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin } from '../../testing/admins.ts'
import { adminToken, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/customers.ts'
import { APP, type Body, fields, SYS, workDesk } from '../../testing/work-orders.ts'

describe('work orders', () => {
  let server: TestServer
  let token: string
  let anna: TestCustomer
  let ben: TestCustomer
  let category = 0
  const { staff, own, look, open, answer, query, upload } = workDesk(() => ({ server, token, category }))
  beforeAll(async () => {
    server = await testServer()
    token = await adminToken(server)
    anna = await createCustomer(server, 'anna')
    ben = await createCustomer(server, 'ben')
    category = Number((await staff('category/save', { title: 'Domains' })).body.id)
  })
  afterAll(() => server.close())

  it('take nine pictures of the writer’s own, for work orders, and keep them while they are shown [S5.19]', async () => {
    const id = await open(anna)
    const send = (img: string[], text = '') => own(anna, 'wol/send/message', { id, content: contentText(text, img) })
    const mine: string[] = []
    for (let i = 0; i < 10; i++) mine.push(await upload(anna.token))
    expect(fields(await send(mine))).toEqual(['content.img'])
    expect((await send(mine.slice(0, 9))).status).toBe(200)
    expect(fields(await send([mine[0] as string, await upload(ben.token)]))).toEqual(['content.img.1'])
    expect(fields(await send([await upload(token, 'message')]))).toEqual(['content.img.0'])
    for (const bad of ['https://elsewhere.example/a.png', '/uploads/../x.png', '/uploads/x.svg'])
      expect(fields(await send([bad], 'x'))).toEqual(['content.img.0'])
    expect(fields(await send([]))).toEqual(['content.text'])
    server.clock.advance(25 * 3600)
    token = await adminToken(server)
    const left = async () =>
      (await query(`SELECT name FROM upload WHERE purpose = 'workOrder' AND owner_id = $1`, [anna.id])).rows.length
    await server.built.upload.prune()
    expect(await left()).toBe(9)
    await staff('wol/bat/delete', { ids: [id] })
    await server.built.upload.prune()
    expect(await left()).toBe(0)
  })

  it('are found by title, number and customer, category, assignee and turn; are assigned to who may handle them', async () => {
    const cara = await createCustomer(server, 'cara')
    const dora = await createCustomer(server, 'dora')
    const other = Number((await staff('category/save', { title: 'Money' })).body.id)
    const one = await open(cara, { title: 'Slow in 100%' })
    const two = await open(dora, { title: 'Invoice', categoryId: other })
    const clerk = await createAdmin(server, 'clerk', ['cdn:work-order:list', 'cdn:work-order:save'])
    const guest = await createAdmin(server, 'guest', ['cdn:work-order:list'])
    const { list: helpers } = (await look(token, `${SYS}/wol/assignees`)).body as { list: { name: string }[] }
    expect(helpers.map((a) => a.name)).toEqual(['admin', 'clerk'])
    expect((await staff('wol/assign', { ids: [two], adminId: clerk })).status).toBe(200)
    expect(fields(await staff('wol/assign', { ids: [two], adminId: guest }))).toEqual(['adminId'])
    await answer(two)
    const found = async (body: Body) =>
      (
        (await staff('wol/list', { ...body, sidx: 'id', order: 'asc' })).body.data as { list: { id: number }[] }
      ).list.map((o) => o.id)
    const cases: [Body, number[]][] = [
      [{ key: '100%' }, [one]],
      [{ key: 'INVOICE' }, [two]],
      [{ key: `#${one}` }, [one]],
      [{ key: 'dora' }, [two]],
      [{ key: 'nobody' }, []],
      [{ categoryId: other }, [two]],
      [{ assigneeId: clerk }, [two]],
      [{ assigneeId: 0 }, [one]],
      [{ waiting: true }, [one]],
      [{ userId: cara.id }, [one]],
      [{ status: 0 }, [one, two]],
      [{}, [one, two]],
    ]
    for (const [body, ids] of cases) expect([body, await found(body)]).toEqual([body, ids])
    expect((await staff('wol/list', { status: 4 })).status).toBe(400)
    await staff('wol/bat/delete', { ids: [one, two] })
    await look(token, `${SYS}/category/delete?id=${other}`)
  })

  it('are limited in number, also when many are opened at the same moment', async () => {
    const fay = await createCustomer(server, 'fay')
    await query(
      `INSERT INTO work_order (customer_id, category_id, title, status, waiting, created_at, last_at)
       SELECT $1, $2, 'x', 0, true, now(), now() FROM generate_series(1, $3)`,
      [fay.id, category, MAX_OPEN_WORK_ORDERS - 2],
    )
    const body = { title: 'one more', categoryId: category, content: contentText('x', []) }
    const replies = await Promise.all(Array.from({ length: 4 }, () => own(fay, 'wol/save', body)))
    expect(replies.map((r) => r.status).sort()).toEqual([200, 200, 409, 409])
    await query('DELETE FROM work_order')
  })

  it('have categories and quick replies with names and shortcuts that stand once', async () => {
    expect(fields(await staff('category/save', { title: 'DOMAINS' }))).toEqual(['title'])
    const off = Number((await staff('category/save', { title: 'Closed shop', enabled: false })).body.id)
    const gil = await createCustomer(server, 'gil')
    const seen = (await look(gil.token, `/api/${APP}/category/list`)).body.list as { id: number }[]
    expect(seen.map((c) => c.id)).not.toContain(off)
    const refused = await own(gil, 'wol/save', { title: 'x', categoryId: off, content: contentText('x', []) })
    expect(fields(refused)).toEqual(['categoryId'])
    const save = (body: Body) => staff('reply/save', { title: 'Hi', content: 'Hello', ...body })
    const one = Number((await save({ shortcut: 'hi', sort: 2 })).body.id)
    const two = Number((await save({ shortcut: '', sort: 1 })).body.id)
    expect((await save({ shortcut: '' })).status).toBe(200)
    expect(fields(await save({ shortcut: 'hi' }))).toEqual(['shortcut'])
    expect(fields(await save({ shortcut: 'Not So' }))).toEqual(['shortcut'])
    const { list } = (await look(token, `${SYS}/reply/list`)).body as { list: { id: number }[] }
    expect(list.map((r) => r.id).slice(-2)).toEqual([two, one])
    expect((await staff('reply/delete', { ids: [one, 999_999] })).status).toBe(404)
    expect((await staff('reply/delete', { ids: [one] })).status).toBe(200)
  })

  it('refuse messages of another form', async () => {
    const hal = await createCustomer(server, 'hal')
    const id = await open(hal)
    const send = (content: unknown) => own(hal, 'wol/send/message', { id, content })
    for (const [content, field] of [
      ['no JSON', 'content'],
      ['{}', 'content.text'],
      ['{"text": 5}', 'content.text'],
      [contentText('x'.repeat(5001), []), 'content.text'],
      [JSON.stringify({ text: 'x', img: 'y' }), 'content.img'],
      [{ text: 'x' }, 'content'],
    ] as const)
      expect([field, fields(await send(content))]).toEqual([field, [field]])
    expect(contentOf('no JSON')).toEqual({ text: '', img: [] })
  })
})
