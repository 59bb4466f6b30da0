/** Work orders as customers and staff meet them. */
import { WORK_ORDER_LABELS } from '@tidegate/contract/enums'
import { MAX_OPEN_WORK_ORDERS } from '@tidegate/contract/limits'
import type { SenderInfo } from '@tidegate/contract/operations/work-order'
import { contentOf, contentText, workOrderLabel } from '@tidegate/contract/work-order'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, loginAs } from '../../testing/admins.ts'
import { adminToken, call, callForm, type Reply, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/customers.ts'

type Body = Record<string, unknown>
const PNG = new TextEncoder().encode('?PNG\r\n\x1a\n').with(0, 0x89)
const SYS = 'sys/tb/work/order'
const APP = 'app/tb/work/order'

describe('work orders', () => {
  let server: TestServer
  let token: string
  let anna: TestCustomer
  let ben: TestCustomer
  let category = 0
  beforeAll(async () => {
    server = await testServer()
    token = await adminToken(server)
    anna = await createCustomer(server, 'anna')
    ben = await createCustomer(server, 'ben')
    category = Number((await staff('category/save', { title: 'Domains' })).body.id)
  })
  afterAll(() => server.close())

  const staff = (path: string, body: Body = {}) => call(server, `${SYS}/${path}`, { token, body })
  const own = (who: TestCustomer, path: string, body: Body = {}) =>
    call(server, `/api/${APP}/${path}`, { token: who.token, body })
  const look = async (login: string, path: string) => call(server, path, { method: 'GET', token: login })
  const open = async (who: TestCustomer, fields: Body = {}) => {
    server.clock.advance(1)
    const body = { title: 'A question', categoryId: category, content: contentText('How?', []), ...fields }
    const reply = await own(who, 'wol/save', body)
    expect([reply.status, reply.body.errors]).toEqual([200, undefined])
    return Number(reply.body.id)
  }
  const detail = async (id: number) => (await look(token, `${SYS}/wol/detail?id=${id}`)).body.data as Body
  const ownDetail = async (who: TestCustomer, id: number) =>
    (await look(who.token, `/api/${APP}/wol/detail?id=${id}`)).body.data as Body
  const ask = (who: TestCustomer, id: number, text = 'and?') =>
    own(who, 'wol/send/message', { id, content: contentText(text, []) })
  const answer = (id: number, text = 'so', more: Body = {}) =>
    staff('wol/send/message', { id, content: contentText(text, []), ...more })
  const move = (id: number, action: string, reason = '') => staff('wol/move', { id, action, reason })
  const rate = (who: TestCustomer, id: number, rating: unknown, solved: unknown) =>
    own(who, 'wol/close', { id, rating, solved })
  const appeal = (who: TestCustomer, id: number, reason = 'still broken') => own(who, 'wol/appeal', { id, reason })
  const news = async (login: string) => (await look(login, `${SYS}/wol/new/msg`)).body
  const query = (text: string, values: unknown[] = []) => server.built.context.database.pool.query(text, values)
  const upload = async (login: string, purpose = 'workOrder') =>
    String((await callForm(server, 'sys/oss/upload', { purpose }, PNG, { token: login })).body.url)
  const fields = (reply: Reply) => (reply.body.errors as { path: string }[] | undefined)?.map((e) => e.path)

  it('have the fields of the specification; messages are JSON of text and pictures [S3.9 S7.8]', async () => {
    const img = [await upload(anna.token), await upload(anna.token)]
    const id = await open(anna, { title: '<b>How</b>', content: contentText('<script>1</script>', img) })
    const order = await detail(id)
    expect(order).toMatchObject({
      ...{ id, title: '<b>How</b>', categoryObj: { id: category, title: 'Domains' }, userName: 'anna' },
      lastSubmitDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    const infos = order.senderInfos as SenderInfo[]
    expect(infos).toHaveLength(1)
    expect(JSON.parse(infos[0]?.content ?? '')).toEqual({ text: '<script>1</script>', img })
    expect(infos[0]?.createdate).toBe(order.lastSubmitDate)
    await answer(id, 'plain')
    const last = ((await detail(id)).senderInfos as SenderInfo[]).at(-1)
    expect(JSON.parse(last?.content ?? '')).toEqual({ text: 'plain' })

    // The remaining calls of the row: newSum, list, categories (deleted by a GET), bulk deletion.
    expect((await news(token)).newSum).toBe(0)
    const listed = (await staff('wol/list', { key: 'anna' })).body.data as { list: Body[]; totalCount: number }
    expect(listed).toMatchObject({ totalCount: 1, list: [{ id, userName: 'anna', label: 'processing' }] })
    const other = Number((await staff('category/save', { title: 'Gone soon', sort: 7 })).body.id)
    const titles = async () =>
      ((await look(token, `${SYS}/category/list`)).body.list as { title: string }[]).map((c) => c.title)
    expect(await titles()).toContain('Gone soon')
    expect((await look(token, `${SYS}/category/delete?id=${other}`)).status).toBe(200)
    expect(await titles()).not.toContain('Gone soon')
    expect((await look(token, `${SYS}/category/delete?id=${category}`)).body).toMatchObject({ error: 'in_use' })
    const results = (await staff('wol/bat/delete', { ids: [id, 999_999] })).body.results
    expect(results).toEqual([
      { id, ok: true, msg: '' },
      { id: 999_999, ok: false, msg: 'What you asked for does not exist' },
    ])
    expect((await look(token, `${SYS}/wol/detail?id=${id}`)).status).toBe(404)
  })

  it('are created, listed, read, answered, closed and appealed by customers, whose own they must be [S7.23]', async () => {
    const id = await open(anna)
    const before = (await query('SELECT count(*) AS n FROM audit_log')).rows[0].n as number
    const foreign: [string, Body][] = [
      ['wol/send/message', { content: contentText('x', []) }],
      ['wol/read', {}],
      ['wol/close', { rating: 5, solved: true }],
      ['wol/appeal', { reason: 'x' }],
    ]
    for (const [path, body] of foreign)
      expect([path, (await own(ben, path, { id, ...body })).status]).toEqual([path, 404])
    expect((await look(ben.token, `/api/${APP}/wol/detail?id=${id}`)).status).toBe(404)
    expect((await own(ben, 'wol/list')).body.data).toMatchObject({ totalCount: 0, list: [] })
    expect((await own(ben, 'wol/list', { userId: anna.id })).body.data).toMatchObject({ totalCount: 0 })
    expect((await query('SELECT count(*) AS n FROM audit_log')).rows[0].n).toBe(before)

    expect((await own(anna, 'wol/list')).body).toMatchObject({
      data: { totalCount: 1, list: [{ id }] },
      counts: { pending: 1 },
    })
    expect((await ask(anna, id)).status).toBe(200)
    await answer(id)
    expect(await ownDetail(anna, id)).toMatchObject({ unread: 1, label: 'processing' })
    expect((await rate(anna, id, 2, false)).status).toBe(200)
    expect((await appeal(anna, id)).status).toBe(200)
    expect(await ownDetail(anna, id)).toMatchObject({ status: 2, label: 'appeal', appealed: true })
    await staff('wol/bat/delete', { ids: [id] })
  })

  it('are called by state, answer and reason, in the lists as in one order [S4.1]', async () => {
    const make = async (...steps: ((id: number) => Promise<Reply>)[]) => {
      const id = await open(anna)
      for (const step of steps) expect((await step(id)).status).toBe(200)
      return id
    }
    const unsolved = (id: number) => rate(anna, id, 1, false)
    const cases: [number, number, string][] = [
      [await make(), 0, 'pending'],
      [await make((id) => answer(id, 'a note', { internal: true })), 0, 'pending'],
      [await make((id) => answer(id)), 0, 'processing'],
      [await make((id) => move(id, 'complete')), 1, 'completed'],
      [await make(unsolved, (id) => appeal(anna, id)), 2, 'appeal'],
      [await make(unsolved), 3, 'closed'],
      [await make((id) => move(id, 'close')), 3, 'closed'],
      [await make((id) => move(id, 'reject', 'not ours')), 3, 'rejected'],
    ]
    for (const [id, status, label] of cases) {
      expect(await detail(id)).toMatchObject({ status, label })
      expect(await ownDetail(anna, id)).toMatchObject({ status, label })
    }
    for (const label of WORK_ORDER_LABELS) {
      const wanted = cases.filter((c) => c[2] === label).map((c) => c[0])
      for (const reply of [await staff('wol/list', { label }), await own(anna, 'wol/list', { label })]) {
        const { list, totalCount } = reply.body.data as { list: { id: number }[]; totalCount: number }
        expect([label, list.map((o) => o.id).sort(), totalCount]).toEqual([label, wanted, wanted.length])
        expect((reply.body.counts as Record<string, number>)[label]).toBe(wanted.length)
      }
    }
    const rows = (await staff('wol/list', { limit: 100 })).body.data as { list: Parameters<typeof workOrderLabel>[0][] }
    for (const row of rows.list) expect((row as unknown as { label: string }).label).toBe(workOrderLabel(row))
    await staff('wol/bat/delete', { ids: cases.map((c) => c[0]) })
  })

  it('are closed by the customer with a rating and a result; unsolved or rejected ones are appealed once [S4.2]', async () => {
    const id = await open(anna)
    for (const [rating, solved, field] of [
      [0, true, 'rating'],
      [6, true, 'rating'],
      [2.5, true, 'rating'],
      [3, undefined, 'solved'],
    ] as const)
      expect(fields(await rate(anna, id, rating, solved))).toEqual([field])
    expect((await appeal(anna, id)).body).toMatchObject({ code: 409, error: 'move_refused' })
    await rate(anna, id, 2, false)
    expect(await detail(id)).toMatchObject({ status: 3, closeReason: 'user', rating: 2, solved: false })
    expect((await rate(anna, id, 5, true)).status).toBe(409)
    expect((await ask(anna, id)).status).toBe(409)
    expect(fields(await appeal(anna, id, ' '))).toEqual(['reason'])
    const twice = await Promise.all([appeal(anna, id), appeal(anna, id)])
    expect(twice.map((r) => r.status).sort()).toEqual([200, 409])
    await move(id, 'complete', 'found it')
    await rate(anna, id, 1, false)
    expect((await appeal(anna, id)).status).toBe(409)

    const solved = await open(anna)
    await rate(anna, solved, 5, true)
    expect((await appeal(anna, solved)).status).toBe(409)
    const rejected = await open(anna)
    expect(fields(await move(rejected, 'reject'))).toEqual(['reason'])
    await move(rejected, 'reject', 'not ours')
    expect((await ownDetail(anna, rejected)).senderInfos).toMatchObject([
      {},
      { event: 'reject', content: contentText('not ours', []) },
    ])
    expect((await appeal(anna, rejected)).status).toBe(200)
    await staff('wol/bat/delete', { ids: [id, solved, rejected] })
  })

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

  it('tell the time to the first answer, ratings and what was solved, of 30 days', async () => {
    await query('DELETE FROM work_order')
    const stats = async () => (await look(token, `${SYS}/wol/stats`)).body.data
    expect(await stats()).toEqual({ waiting: 0, open: 0, firstAnswer: null, rating: null, rated: 0, solved: null })
    const eva = await createCustomer(server, 'eva')
    const [one, two] = [await open(eva), await open(eva)]
    server.clock.advance(99)
    await answer(two)
    await answer(two)
    server.clock.advance(100)
    await answer(one)
    await rate(eva, one, 5, true)
    await rate(eva, two, 2, false)
    expect(await stats()).toEqual({ waiting: 0, open: 0, firstAnswer: 149.5, rating: 3.5, rated: 2, solved: 0.5 })
    await query('DELETE FROM work_order')
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
