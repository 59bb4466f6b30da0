/** Customers' exports: their own lists, their own rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken, call, type TestServer, testServer } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/customers.ts'

describe('a customer’s exports', () => {
  let server: TestServer
  let mine: TestCustomer
  let theirs: TestCustomer
  const query = (text: string, values: unknown[] = []) => server.built.context.database.pool.query(text, values)
  const run = (id: number) =>
    server.built.parts
      .flatMap((part) => part.jobs ?? [])
      .find((job) => job.name === 'export.run')
      ?.run({ id })
  const start = (who: TestCustomer, body: Record<string, unknown>) =>
    call(server, 'app/export/start', { token: who.token, body })
  const fetchFile = (token: string, id: number) => call(server, `app/export/download/${id}`, { token })
  /** The lines of the file, its titles first. */
  const made = async (who: TestCustomer, body: Record<string, unknown>) => {
    const reply = await start(who, body)
    expect([reply.status, reply.body.errors]).toEqual([200, undefined])
    const id = Number(reply.body.id)
    await run(id)
    const { body: file } = await fetchFile(who.token, id)
    return { id, lines: String(file.text).split('\r\n').slice(0, -1) }
  }
  const write = async (who: TestCustomer, path: string, body: Record<string, unknown>) => {
    const reply = await call(server, path, { token: who.token, body })
    expect([path, reply.status, reply.body]).toEqual([path, 200, expect.anything()])
  }

  beforeAll(async () => {
    server = await testServer()
    mine = await createCustomer(server, 'mine')
    theirs = await createCustomer(server, 'theirs')
    for (const [who, name] of [
      [mine, 'mine'],
      [theirs, 'theirs'],
    ] as const) {
      await write(who, 'sys/cdn/site/save', {
        domains: [`${name}.example`],
        originProtocol: 'http',
        origins: [{ host: 'origin.example' }],
      })
      await write(who, 'app/tb/work/order/wol/save', {
        title: `order of ${name}`,
        categoryId: 1,
        content: JSON.stringify({ text: 'help' }),
      })
    }
    const admin = await adminToken(server)
    const note = await call(server, 'sys/account/user/note', { token: admin, body: { id: mine.id, note: 'difficult' } })
    expect(note.status).toBe(200)
  })
  afterAll(() => server.close())

  it.each([
    ['site.list', 'mine.example', 'theirs'],
    ['ownOrder.list', 'order of mine', 'theirs'],
    ['ownLog.list', 'site.save', 'theirs'],
  ])('of %s hold the own rows and nobody else’s, whatever is asked for', async (list, own, foreign) => {
    for (const q of [{}, { userId: theirs.id }]) {
      const { lines } = await made(mine, { list, query: q })
      const text = lines.slice(1).join('\n')
      expect(text).toContain(own)
      expect(text).not.toContain(foreign)
    }
  })

  it('of the own log name no administrator and carry no address of theirs', async () => {
    const { lines } = await made(mine, { list: 'ownLog.list', query: { action: 'customer.note' } })
    expect(lines[0]).toBe('\u{FEFF}Id,Time,Kind of actor,Who,What,On what,From,Request')
    expect(lines).toHaveLength(2)
    const [, , kind, who, what, , from, request] = (lines[1] ?? '').split(',')
    expect({ kind, who, what, from, request }).toEqual({
      kind: 'admin',
      who: '',
      what: 'customer.note',
      from: '',
      request: '',
    })
  })

  it('are not there for the staff’s lists, which are not even named', async () => {
    for (const list of ['customer.list', 'audit.list', 'userLog.list', 'node.list', 'workOrder.list', 'admin.list']) {
      const { body } = await start(mine, { list })
      expect(body).toMatchObject({ code: 400, errors: [{ path: 'list' }] })
      expect(JSON.stringify(body.errors)).not.toMatch(/customer|audit|node|admin|workOrder/)
    }
  })

  it('are their owner’s alone: neither another customer’s nor an administrator’s of the same number', async () => {
    const { id } = await made(mine, { list: 'site.list' })
    for (const token of [theirs.token, await adminToken(server)]) {
      expect((await fetchFile(token, id)).status).toBe(404)
      expect((await call(server, `app/export/info/${id}`, { method: 'GET', token })).status).toBe(404)
      const list = await call(server, 'app/export/list', { token })
      expect((list.body.data as { list: { id: number }[] }).list.map((one) => one.id)).not.toContain(id)
    }
  })

  it('are made with the rights of the asking, and fetched with those of the fetching', async () => {
    const { body } = await start(mine, { list: 'site.list' })
    const { rows } = await query('SELECT caller FROM export_job WHERE id = $1', [body.id])
    expect(rows[0].caller).toMatchObject({
      kind: 'user',
      id: mine.id,
      permissions: expect.arrayContaining(['cdn:site:list']),
    })
    await query(`UPDATE customer SET unvalid_model = '{/cdn/site/list}' WHERE id = $1`, [mine.id])
    await run(Number(body.id))
    expect((await fetchFile(mine.token, Number(body.id))).status).toBe(403)
    expect((await start(mine, { list: 'site.list' })).status).toBe(403)
    expect((await start(mine, { list: 'ownOrder.list' })).status).toBe(200)
    await query(`UPDATE customer SET unvalid_model = '{}' WHERE id = $1`, [mine.id])
    expect((await fetchFile(mine.token, Number(body.id))).status).toBe(200)
  })
})
