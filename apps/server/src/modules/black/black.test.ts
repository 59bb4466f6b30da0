/** The DNS blacklist by its API. */
import { createHash } from 'node:crypto'
import type { BlackRow } from '@tidegate/contract/operations/black'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { adminToken, call, callForm, type Reply, type TestServer, testServer } from '../../testing/app.ts'

const SYS = 'sys/dns/black'
type Body = Record<string, unknown>

describe('the DNS blacklist', () => {
  let server: TestServer
  let token: string
  const post = (path: string, body: Body = {}, lang = 'en') =>
    call(server, `${SYS}/${path}`, { token, body, headers: { lang } })
  const get = (path: string) => call(server, `${SYS}/${path}`, { method: 'GET', token })
  const save = (domains: string, more: Body = {}) => post('domain/save', { domains, ...more })
  const upload = (text: string | Uint8Array, fields: Body = {}, lang = 'en') =>
    callForm(server, `${SYS}/domain/import`, fields, typeof text === 'string' ? Buffer.from(text) : text, {
      token,
      filename: 'list.txt',
      fileType: 'text/plain',
      headers: { lang },
    })
  const list = async (query: Body = {}) =>
    (await post('domain/list', query)).body.data as { list: BlackRow[]; totalCount: number }
  const domains = async (query: Body = {}) => (await list(query)).list.map((one) => one.domain)
  const idOf = async (domain: string) =>
    (await list({ key: domain })).list.find((one) => one.domain === domain)?.id ?? 0
  const state = async () => (await get('state')).body.data as Body
  const check = async (domain: string) => (await get(`domain/check?domain=${domain}`)).body.data as Body
  const faults = (reply: Reply) =>
    (reply.body.errors as { path: string; msg: string }[]).map((e) => `${e.path}: ${e.msg}`)
  const setting = (value: Body) =>
    call(server, 'sys/config/save', { token, body: { paramKey: 'dns_black', paramValue: JSON.stringify(value) } })
  const traces = async (action: string) =>
    (
      await server.built.context.database.pool.query<{ before: Body | null; after: Body | null }>(
        `SELECT before, after FROM audit_log WHERE action = '${action}' ORDER BY id DESC LIMIT 1`,
      )
    ).rows[0]

  beforeAll(async () => {
    server = await testServer()
    token = await adminToken(server)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await post('domain/clear')
    await setting({})
  })

  it('takes names one a line, in their stored form, each once; a line that is wrong is named and nothing is kept', async () => {
    expect(
      (await save('Bad.Example.\n\n*.例子.测试\nalone.example', { scope: 'name', category: 'ads' })).body.count,
    ).toBe(3)
    expect((await list({ sidx: 'domain', order: 'asc' })).list).toMatchObject([
      { domain: 'alone.example', scope: 'name', enabled: true, category: 'ads', remark: '' },
      { domain: 'bad.example', scope: 'name' },
      { domain: 'xn--fsqu00a.xn--0zwm56d', scope: 'tree' },
    ])
    const wrong = 'fine.example\nno domain\nfine.example\n*.bad.example'
    expect(faults(await save(wrong))).toEqual([
      'domains: line 2: domain format error: no domain',
      'domains: line 3: is there already in line 1: fine.example',
    ])
    expect(faults(await post('domain/save', { domains: wrong }, 'zh'))[1]).toBe(
      'domains: 第 3 行：与第 1 行重复：fine.example',
    )
    expect(faults(await save('fine.example\n\nbad.example'))).toEqual([
      'domains: line 3: is on the list already: bad.example',
    ])
    expect(faults(await save(' \n# nothing'))).toEqual(['domains: is required'])
    expect((await list()).totalCount).toBe(3)
    expect(await state()).toMatchObject({ total: 3, active: 3, categories: ['ads'] })
  })

  it('changes one entry, to a name that is free', async () => {
    await save('one.example\ntwo.example')
    const id = await idOf('one.example')
    const edit = (domain: string, more: Body = {}) => save(domain, { id, scope: 'name', remark: 'why', ...more })
    expect((await edit('three.example', { enabled: false })).body.count).toBe(1)
    expect(await list({ key: 'three' })).toMatchObject({
      list: [{ id, domain: 'three.example', scope: 'name', enabled: false, remark: 'why' }],
    })
    expect(faults(await edit('two.example'))).toEqual(['domains: line 1: is on the list already: two.example'])
    expect(faults(await edit('a.example\nb.example'))).toEqual(['domains: at most 1 entries'])
    expect((await save('x.example', { id: 999_999 })).status).toBe(404)
    expect(await traces('black.save')).toMatchObject({
      before: { domain: 'one.example', scope: 'tree', enabled: true },
      after: { domain: 'three.example', scope: 'name', enabled: false, remark: 'why' },
    })
  })

  it('is searched by what names begin with and by what they are below of, filtered, sorted and paged', async () => {
    await save('ads.shop.example\nshop.example\nadserver.test\nmyshop.example\nads-x.shop.example')
    await save('alone.shop.example', { scope: 'name', category: 'shop' })
    await save('off.test', { enabled: false })
    const below = ['shop.example', 'ads.shop.example', 'ads-x.shop.example', 'alone.shop.example'].sort()
    for (const [query, wanted] of [
      [{ key: 'ads' }, ['ads.shop.example', 'ads-x.shop.example', 'adserver.test']],
      [{ key: 'shop.example' }, below],
      [{ key: '*.SHOP.example' }, below],
      [{ key: '.test' }, ['adserver.test', 'off.test']],
      [{ key: 'shop.exampl' }, ['shop.example']],
      [{ key: '%' }, []],
      [{ scope: 'name' }, ['alone.shop.example']],
      [{ enabled: false }, ['off.test']],
      [{ category: 'shop' }, ['alone.shop.example']],
      [{ key: 'shop.example', scope: 'tree' }, below.filter((one) => !one.startsWith('alone'))],
    ] as [Body, string[]][])
      expect([query, (await domains(query)).sort()]).toEqual([query, [...wanted].sort()])
    expect(await domains({ sidx: 'domain', order: 'asc', limit: 10 })).toEqual([
      ...['myshop.example', 'shop.example', 'ads-x.shop.example', 'ads.shop.example', 'alone.shop.example'],
      ...['adserver.test', 'off.test'],
    ])
    expect((await domains())[0]).toBe('off.test')
  })

  it('switches entries on and off and deletes them, all or none', async () => {
    await save('one.example\ntwo.example\nthree.example')
    const ids = await Promise.all(['one.example', 'two.example'].map(idOf))
    expect((await post('domain/enable', { ids, enabled: false })).body.count).toBe(2)
    expect((await post('domain/enable', { ids, enabled: false })).body.count).toBe(0)
    expect(await state()).toMatchObject({ total: 3, active: 1 })
    expect((await post('domain/enable', { ids: [...ids, 999_999], enabled: true })).status).toBe(404)
    expect((await post('domain/delete', { ids: [...ids, 999_999] })).status).toBe(404)
    expect(await state()).toMatchObject({ total: 3, active: 1 })
    expect((await post('domain/delete', { ids })).status).toBe(200)
    expect(await domains()).toEqual(['three.example'])
    expect(await state()).toMatchObject({ total: 1, active: 1 })
    await save('four.example', { category: 'temporary' })
    expect((await post('domain/clear', { category: 'temporary' })).body.count).toBe(1)
    expect(await domains()).toEqual(['three.example'])
    expect((await traces('black.clear'))?.before).toMatchObject({ count: 1, filters: { category: 'temporary' } })
  })

  describe('an imported file', () => {
    it('may be a plain list or a hosts file, with comments', async () => {
      const text = '# list\r\n127.0.0.1 localhost\r\n0.0.0.0 a.example b.example # two\r\n*.c.example\r\nd.example'
      expect((await upload(text, { scope: 'name', category: 'hosts' })).body).toMatchObject({ added: 4, skipped: 0 })
      expect((await list({ sidx: 'domain', order: 'asc' })).list.map((one) => [one.domain, one.scope])).toEqual([
        ...[
          ['a.example', 'name'],
          ['b.example', 'name'],
          ['c.example', 'tree'],
          ['d.example', 'name'],
        ],
      ])
    })

    it('is refused whole where a line is wrong, is there twice or is on the list; each with its line', async () => {
      await save('known.example')
      const filler = Array.from({ length: 6_000 }, (_, i) => `n${i}.example`)
      const text = ['n1.example', ...filler, 'known.example', 'not a name', 'n5999.example'].join('\n')
      expect(faults(await upload(text))).toEqual([
        'file: line 3: is there already in line 1: n1.example',
        'file: line 6002: is on the list already: known.example',
        'file: line 6003: domain format error: not a name',
        'file: line 6004: is there already in line 6001: n5999.example',
      ])
      expect(faults(await upload('not a name', {}, 'zh'))).toEqual(['file: 第 1 行：域名格式错误：not a name'])
      expect(faults(await upload('# nothing\n'))).toEqual(['file: is required'])
      expect(faults(await upload(`${'x'.repeat(5_000)}`))[0]).toContain('line 1: domain format error')
      // No more than a person can read.
      expect(faults(await upload('wrong\n'.repeat(500)))).toHaveLength(20)
      expect(faults(await upload(new Uint8Array([0, 1, 2, 255, 10])))).toHaveLength(1)
      expect(await domains()).toEqual(['known.example'])
      expect(await state()).toMatchObject({ total: 1, active: 1 })
    })

    it('leaves out what is there already when that is wanted, and says how many', async () => {
      await save('known.example')
      const text = 'a.example\nknown.example\na.example\n0.0.0.0 b.example a.example'
      expect((await upload(text, { existing: 'skip' })).body).toMatchObject({ added: 2, skipped: 3 })
      expect(await state()).toMatchObject({ total: 3 })
      expect(faults(await upload('fine.example\nwrong', { existing: 'skip' }))).toEqual([
        'file: line 2: domain format error: wrong',
      ])
      expect((await traces('black.import'))?.after).toMatchObject({ added: 2, skipped: 3, existing: 'skip' })
    })

    it('comes back as the text that the export gives', async () => {
      await save('one.example\ntwo.example')
      await save('three.example', { scope: 'name' })
      const before = (await list({ sidx: 'domain' })).list.map((one) => [one.domain, one.scope])
      const { headers, body } = await post('domain/export')
      expect(headers['content-disposition']).toMatch(/dns-blacklist-\d{4}-\d\d-\d\d\.txt/)
      expect(body.text).toBe('*.one.example\nthree.example\n*.two.example\n')
      await post('domain/clear')
      await upload(String(body.text), { scope: 'name' })
      expect((await list({ sidx: 'domain' })).list.map((one) => [one.domain, one.scope])).toEqual(before)
    })
  })

  it('says of a name whether it is blocked, and by what', async () => {
    await save('bad.example\noff.example')
    await save('alone.example', { scope: 'name' })
    await post('domain/enable', { ids: [await idOf('off.example')], enabled: false })
    await setting({ exceptions: 'good.bad.example' })
    const decided = async (name: string) => {
      const { blocked, by, match } = await check(name)
      return [blocked, by, match]
    }
    expect(await decided('A.Bad.example.')).toEqual([true, 'entry', 'bad.example'])
    expect(await decided('alone.example')).toEqual([true, 'entry', 'alone.example'])
    expect(await decided('x.alone.example')).toEqual([false, '', ''])
    expect(await decided('off.example')).toEqual([false, '', ''])
    expect(await decided('www.good.bad.example')).toEqual([false, 'exception', 'good.bad.example'])
    expect(await check('bad.example')).toMatchObject({ entry: { domain: 'bad.example', scope: 'tree' }, enabled: true })
    await setting({ enabled: false })
    expect(await check('bad.example')).toMatchObject({ blocked: false, by: 'entry', enabled: false })
    expect(faults(await get('domain/check?domain=*.bad.example'))).toEqual(['domain: domain format error'])
  })

  it('gives the compiled list to servers, once for each change, and knows who has which', async () => {
    await save('bad.example')
    const fetched = async (have = '') => {
      const reply = await server.app.server.inject({
        method: 'GET',
        url: `/ants-dns-api/${SYS}/compiled?have=${have}`,
        headers: { token },
      })
      expect(reply.statusCode).toBe(200)
      return reply.rawPayload
    }
    expect((await state()).readers).toEqual([])
    const first = await fetched()
    expect(first.includes('\x03bad\x07example\0t')).toBe(true)
    const hash = createHash('sha256').update(first).digest('hex')
    expect((await fetched(hash)).length).toBe(0)
    expect((await state()).readers).toEqual([
      { ip: '127.0.0.1', name: 'admin', time: expect.stringMatching(/Z$/), current: true },
    ])
    await save('worse.example')
    expect((await state()).readers).toMatchObject([{ current: false }])
    const second = await fetched(hash)
    expect(second.includes('\x05worse\x07example\0t')).toBe(true)
    await setting({ exceptions: 'worse.example' })
    const third = await fetched()
    expect([third.includes('\x05worse\x07example\0t'), third.includes('\x05worse\x07example\0x')]).toEqual([
      false,
      true,
    ])
    server.clock.advance(8 * 86_400)
    token = await adminToken(server)
    expect((await state()).readers).toEqual([])
  })

  it('renders the rules of the stored setting for a path that is given, whatever stands in it', async () => {
    await setting({ answer: 'address', addresses: '192.0.2.1\n2001:db8::1', ttl: 5 })
    const rules = async (file: string) => (await get(`setting/rules?file=${encodeURIComponent(file)}`)).body
    expect((await rules('/etc/a "b".cdb')).data).toMatchObject({
      rules: expect.stringMatching(
        /newCDBKVStore\("\/etc\/a\\032\\034b\\034\.cdb", 1\)[\s\S]*SpoofAction\(\{"192\.0\.2\.1", "2001:db8::1"\}, \{ttl=5\}\)/,
      ),
    })
    expect((await rules('/a\nb')).errors).toEqual([{ path: 'file', msg: 'is not in the right form' }])
  })

  it('has the setting as a config record with its history, for who may edit the list', async () => {
    await setting({ answer: 'refused' })
    const { body } = await call(server, 'sys/config/info/55', { method: 'GET', token })
    expect(body.data).toMatchObject({ paramKey: 'dns_black', paramClass: 'dnsBlack', editable: true })
    expect(JSON.parse(String((body.data as Body).paramValue))).toMatchObject({ answer: 'refused', ttl: 60 })
    expect((await setting({ exceptions: 'a.example\nwrong' })).body.errors).toEqual([
      { path: 'paramValue.exceptions', msg: 'line 2: domain format error: wrong' },
    ])
  })
})
