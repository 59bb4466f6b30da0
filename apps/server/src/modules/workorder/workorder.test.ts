/** Work orders as customers and staff meet them, from the question to the appeal. */
import { WORK_ORDER_LABELS } from '@tidegate/contract/enums'
import type { SenderInfo } from '@tidegate/contract/operations/work-order'
import { contentText, workOrderLabel } from '@tidegate/contract/work-order'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken, type Reply, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/customers.ts'
import { APP, type Body, fields, SYS, workDesk } from '../../testing/work-orders.ts'

describe('work orders', () => {
  let server: TestServer
  let token: string
  let anna: TestCustomer
  let ben: TestCustomer
  let category = 0
  const { staff, own, look, open, detail, ownDetail, ask, answer, move, rate, appeal, news, query, upload } = workDesk(
    () => ({ server, token, category }),
  )
  beforeAll(async () => {
    server = await testServer()
    token = await adminToken(server)
    anna = await createCustomer(server, 'anna')
    ben = await createCustomer(server, 'ben')
    category = Number((await staff('category/save', { title: 'Domains' })).body.id)
  })
  afterAll(() => server.close())

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
})
