import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, openPlane, type TestPlane, until } from '../../testing/plane.ts'

describe('sites', () => {
  let plane: TestPlane
  beforeAll(async () => {
    plane = await openPlane()
  })
  afterAll(() => plane.close())
  const info = async (id: number) => (await plane.run('site.info', { id })).data
  const refused = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (e: { key: string; details: { fields?: object[] } }) => ({ key: e.key, fields: e.details.fields }),
    )

  it('need no more than domains and an origin; everything else has its default', async () => {
    const saved = await plane.save({ domains: ['WWW.Least.Example', 'bücher.example'] })
    const site = await info(saved.id)
    expect(site.domains).toEqual(['www.least.example', 'xn--bcher-kva.example'])
    expect(site.cname).toMatch(/^[a-z2-9]{12}\.cdn\.tidegate\.test$/)
    expect(site.origins).toEqual([{ host: 'origin.example', httpPort: 80, httpsPort: 443, line: 'main', weight: 1 }])
    expect(site).toMatchObject({ enabled: true, version: 1, groupId: 1, nodes: 0 })
  })

  it('take `port` for the fixed protocol', async () => {
    const origins = [{ host: 'o.example', port: 9000 }]
    const http = await info((await plane.save({ domains: ['p1.example'], origins })).id)
    expect(http.origins[0]).toMatchObject({ httpPort: 9000, httpsPort: 443 })
    const https = await info((await plane.save({ domains: ['p2.example'], originProtocol: 'https', origins })).id)
    expect(https.origins[0]).toMatchObject({ httpPort: 80, httpsPort: 9000 })
    expect(await refused(plane.save({ domains: ['p3.example'], originProtocol: 'follow', origins }))).toMatchObject({
      fields: [{ path: 'origins.0.port' }],
    })
  })

  it('keep settings that a save does not name', async () => {
    const { id } = await plane.save({ domains: ['keep.example'], settings: { hostHeader: 'h.example' } })
    await plane.save({ id, domains: ['keep.example'], settings: { readTimeout: 7 } })
    expect((await info(id)).settings).toMatchObject({ hostHeader: 'h.example', readTimeout: 7 })
  })

  it('never share a domain; the answer names it and the field', async () => {
    const first = await plane.save({ domains: ['mine.example'] })
    const fault = await refused(plane.save({ domains: ['new.example', 'mine.example'] }))
    expect(fault).toEqual({
      key: 'domain_taken',
      fields: [{ path: 'domains.1', key: 'taken', params: { value: 'mine.example' } }],
    })
    const race = await Promise.all(Array.from({ length: 8 }, () => refused(plane.save({ domains: ['race.example'] }))))
    expect(race.filter((r) => r === null)).toHaveLength(1)
    expect(race.filter((r) => r?.key === 'domain_taken')).toHaveLength(7)
    await plane.run('site.delete', { ids: [first.id] })
    await plane.save({ domains: ['mine.example'] })
  })

  it('refuse origins in the private network unless the group allows exactly that one', async () => {
    for (const host of [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '::1',
      'fd00::1',
      '::ffff:127.0.0.1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '100.64.0.1',
      'sub.localhost',
      'localhost',
      '0.0.0.0',
    ]) {
      const fault = await refused(
        plane.save({ domains: ['private.example'], origins: [{ host: 'o.example' }, { host }] }),
      )
      expect(fault).toEqual({
        key: 'invalid_input',
        fields: [{ path: 'origins.1.host', key: 'private_origin', params: { value: host } }],
      })
    }
    await plane.query(`UPDATE node_group SET allowed_private_origins = '{127.0.0.1:9000,10.1.0.0/16}' WHERE id = 1`)
    await plane.save({ domains: ['allowed-1.example'], origins: [{ host: '127.0.0.1', port: 9000 }] })
    await plane.save({ domains: ['allowed-2.example'], origins: [{ host: '10.1.2.3' }] })
    expect(
      await refused(plane.save({ domains: ['x.example'], origins: [{ host: '127.0.0.1', port: 9001 }] })),
    ).not.toBeNull()
  })

  it('tell of a change that someone else made meanwhile', async () => {
    const { id, version } = await plane.save({ domains: ['version.example'] })
    const second = await plane.save({ id, domains: ['version.example'], version, remark: 'mine' })
    expect(await refused(plane.save({ id, domains: ['version.example'], version, remark: 'theirs' }))).toMatchObject({
      key: 'conflict',
    })
    expect(second.version).toBe(2)
  })

  it('go back to an older version as a new one', async () => {
    const { id } = await plane.save({ domains: ['old.example'], settings: { hostHeader: 'one.example' } })
    const second = await plane.save({ id, domains: ['new-name.example'], settings: { hostHeader: 'two.example' } })
    const back = await plane.run('site.rollback', { id, version: 1 })
    expect(back.version).toBe(3)
    expect(back.push.revision).toBeGreaterThan(second.push.revision)
    expect(await info(id)).toMatchObject({ domains: ['old.example'], settings: { hostHeader: 'one.example' } })
    const history = (await plane.run('site.history', { id, page: 1, limit: 20 })).data.list
    expect(history.map((h) => [h.version, h.reason, h.domains[0], h.by])).toEqual([
      [3, 'rollback', 'old.example', 'admin'],
      [2, 'site', 'new-name.example', 'admin'],
      [1, 'site', 'old.example', 'admin'],
    ])
    expect(history[0]?.revision).toBe(back.push.revision)
    // The name that the rollback gave up is free again.
    await plane.save({ domains: ['new-name.example'] })
  })

  it('leave the group they were in when they move', async () => {
    await plane.query("INSERT INTO node_group (id, name, cname_zone) VALUES (50, 'second', 'second.tidegate.test')")
    const { id } = await plane.save({ domains: ['mover.example'] })
    await plane.run('cache.purge', { kind: 'url', entries: ['http://mover.example/a'] })
    const current = () =>
      plane.query<{ scope: string; kind: string; gone: boolean }>(
        `SELECT scope, kind, body IS NULL AS gone FROM config_current JOIN config_item USING (scope, kind, key, revision)
         WHERE kind IN ('site', 'purge') AND split_part(key, ' ', 1) = $1 ORDER BY scope, kind`,
        [String(id)],
      )
    // A purge that comes and goes before it is published leaves no trace in the group.
    await until(async () => (await current()).length === 2)
    const moved = await plane.save({ id, domains: ['mover.example'], groupId: 50 })
    expect(moved.push.scope).toBe('group:50')
    // Each group is published for itself, in either order.
    const settled = async () => {
      const rows = await current()
      return rows.length === 4 && rows.filter(({ gone }) => gone).length === 2 && rows
    }
    expect(await until(settled)).toEqual([
      { scope: 'group:1', kind: 'purge', gone: true },
      { scope: 'group:1', kind: 'site', gone: true },
      { scope: 'group:50', kind: 'purge', gone: false },
      { scope: 'group:50', kind: 'site', gone: false },
    ])
    await plane.query('DELETE FROM purge_task')
  })

  it('are found by a part of a name, counted, and sorted', async () => {
    await Promise.all(
      Array.from({ length: 25 }, (_, i) => plane.save({ domains: [`needle-${i}.example`, `x${i}.needle.test`] })),
    )
    const page = (await plane.run('site.list', { page: 2, limit: 10, key: 'needle', order: 'asc', sidx: 'id' })).data
    expect(page).toMatchObject({ totalCount: 25, currPage: 2, totalPage: 3, pageSize: 10 })
    expect(page.list).toHaveLength(10)
    const ids = page.list.map((s) => s.id)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(
      (await plane.run('site.list', { page: 1, limit: 10, key: 'needle-7.' })).data.list.map((s) => s.domains[0]),
    ).toEqual(['needle-7.example'])
    expect((await plane.run('site.list', { page: 1, limit: 10, key: '%' })).data.list).toEqual([])
    expect(
      (await plane.run('site.list', { page: 1, limit: 10, key: String(ids[0]) })).data.list.map((s) => s.id),
    ).toContain(ids[0])
    const off = await plane.run('site.enable', { ids: [ids[0]!], enabled: false })
    expect(off.push).toHaveLength(1)
    expect((await plane.run('site.list', { page: 1, limit: 10, enabled: false })).data.list.map((s) => s.id)).toEqual([
      ids[0],
    ])
  })

  it('are found by their domain, their CNAME target and their id exactly, before those that only contain the text', async () => {
    const saved = await plane.save({ domains: ['exact.test'] })
    const others = await Promise.all(
      ['a', 'b', 'c'].map((l) => plane.save({ domains: [`${l}.exact.test`, `${l}.exact.test.example`] })),
    )
    const find = async (input: object) => {
      const { list, totalCount } = (await plane.run('site.list', { page: 1, limit: 10, ...input })).data
      return { ids: list.map((s) => s.id), totalCount }
    }
    const newest = others.map((o) => o.id).sort((a, b) => b - a)
    expect(await find({ key: ' Exact.TEST ' })).toEqual({ ids: [saved.id, ...newest], totalCount: 4 })
    expect(await find({ key: 'exact.test', page: 2, limit: 10 })).toEqual({ ids: [], totalCount: 4 })
    expect(await find({ key: 'exact.test', sidx: 'id', order: 'desc' })).toEqual({
      ids: [...newest, saved.id],
      totalCount: 4,
    })
    expect(await find({ key: 'exact.test', groupId: 77 })).toEqual({ ids: [], totalCount: 0 })
    expect(await find({ key: 'b.exact' })).toEqual({ ids: [others[1]?.id], totalCount: 1 })
    const { cname } = await info(saved.id)
    expect(await find({ key: cname })).toEqual({ ids: [saved.id], totalCount: 1 })
    expect(await find({ key: cname.slice(0, 12) })).toEqual({ ids: [saved.id], totalCount: 1 })
    expect((await find({ key: `${cname.slice(0, 12)}.other.zone` })).ids).toEqual([])
    expect((await find({ key: String(saved.id) })).ids[0]).toBe(saved.id)
    const { id } = await plane.save({ domains: ['bücher-search.example'] })
    expect(await find({ key: 'bücher-search.example' })).toEqual({ ids: [id], totalCount: 1 })
    await plane.save({ id, domains: ['renamed-search.example'] })
    expect(await find({ key: 'bücher-search.example' })).toEqual({ ids: [], totalCount: 0 })
    // With a hyphen: three letters may well stand in another site's random CNAME target.
    expect(await find({ key: 'd-s' })).toEqual({ ids: [id], totalCount: 1 })
    expect(await find({ key: 're' })).toEqual({ ids: [id], totalCount: 1 })
  })

  it('leave a trace of who did what, before and after [N13]', async () => {
    const { id } = await plane.save({ domains: ['trace.example'] })
    await plane.save({ id, domains: ['trace.example'], remark: 'changed' })
    await plane.run('site.delete', { ids: [id] })
    const rows = await plane.query<{
      action: string
      name: string
      ip: string
      before: { remark: string } | null
      after: { remark: string } | null
    }>('SELECT action, actor_name AS name, ip, before, after FROM audit_log WHERE target = $1 ORDER BY id', [
      `site ${id}`,
    ])
    expect(rows.map((r) => [r.action, r.name, r.ip, r.before?.remark, r.after?.remark])).toEqual([
      ['site.save', ADMIN.name, ADMIN.ip, undefined, ''],
      ['site.save', ADMIN.name, ADMIN.ip, '', 'changed'],
      ['site.delete', ADMIN.name, ADMIN.ip, 'changed', undefined],
    ])
  })

  it('make the demo site once, allowing its origin alone', async () => {
    const lines: string[] = []
    const demo = (port = 19_080) =>
      plane.plane.part.commands!.demo!(['--origin', `127.0.0.1:${port}`, '--domain', 'demo.tidegate.test'], (l) =>
        lines.push(l),
      )
    const allowed = async () => {
      const [group] = await plane.query<{ allowed: string[] }>(
        'SELECT allowed_private_origins AS allowed FROM node_group WHERE id = 1',
      )
      return group?.allowed.filter((a) => a.startsWith('127.0.0.1:19'))
    }
    expect([await demo(), await demo()]).toEqual([0, 0])
    const [first, second] = lines.map((l) => JSON.parse(l) as { siteId: number; created: boolean })
    expect(first).toMatchObject({ created: true })
    expect(second).toMatchObject({ created: false, siteId: first?.siteId })
    expect(await allowed()).toEqual(['127.0.0.1:19080'])
    // A demo origin that moved leaves no allowance behind, but what another site uses stays.
    expect(await demo(19_081)).toBe(0)
    expect(await allowed()).toEqual(['127.0.0.1:19081'])
    await plane.save({ domains: ['neighbour.example'], origins: [{ host: '127.0.0.1', port: 19_081 }] })
    expect(await demo(19_082)).toBe(0)
    expect(await allowed()).toEqual(['127.0.0.1:19081', '127.0.0.1:19082'])
    expect((await info(first!.siteId)).origins[0]).toMatchObject({ httpPort: 19_082 })
  })
})
