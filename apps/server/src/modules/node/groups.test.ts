import { LANGUAGES } from '@tidegate/contract/enums'
import { fieldText } from '@tidegate/contract/errors'
import { fieldErrors } from '@tidegate/contract/issues'
import { operations } from '@tidegate/contract/operations/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPlane, type TestPlane } from '../../testing/plane.ts'

describe('service groups', () => {
  let plane: TestPlane
  beforeAll(async () => {
    plane = await openPlane()
  })
  afterAll(() => plane.close())
  const first = async () => (await plane.run('group.list', { page: 1, limit: 20 })).data.list[0]

  it('bring changed settings to their nodes, and leave what is not named as it is', async () => {
    const node = await plane.enroll('g1')
    const start = await node.pull(0)
    await node.ack({ scope: start.scope, revision: start.revision })
    const stream = node.stream()
    await stream.next()
    const allowedPrivateOrigins = ['127.0.0.1:9000', '10.0.0.0/8']
    const saved = await plane.run('group.save', { id: 1, allowedPrivateOrigins, cacheMaxMb: 64 })
    expect((await stream.next()).value).toEqual({ type: 'revision', ...saved.push })
    const delta = await node.pull(start.revision)
    expect(delta.resources.map((r) => [r.kind, r.body])).toEqual([
      [
        'settings',
        { allowedPrivateOrigins: ['10.0.0.0/8', '127.0.0.1:9000'], cacheMaxMb: 64, brand: expect.any(String) },
      ],
    ])
    await plane.save({ domains: ['private.example'], origins: [{ host: '10.1.2.3' }] })
    await plane.run('group.save', { id: 1, name: 'Asia', cnameZone: 'asia.example', remark: 'r' })
    expect(await first()).toMatchObject({
      id: 1,
      name: 'Asia',
      cnameZone: 'asia.example',
      allowedPrivateOrigins,
      cacheMaxMb: 64,
      remark: 'r',
      sites: 1,
      nodes: 1,
    })
    await stream.return(undefined)
    node.close()
  })

  it('keep a record of who changed what', async () => {
    const before = await first()
    await plane.run('group.save', { id: 1, allowedPrivateOrigins: ['*'] })
    const [entry] = await plane.query<{ actor: string; before: unknown; after: unknown }>(
      "SELECT actor_name AS actor, before, after FROM audit_log WHERE action = 'group.save' AND target = 'group 1' ORDER BY id DESC LIMIT 1",
    )
    expect(entry).toMatchObject({
      actor: 'admin',
      before: { allowedPrivateOrigins: before?.allowedPrivateOrigins, cacheMaxMb: 64 },
      after: { allowedPrivateOrigins: ['*'], cacheMaxMb: 64 },
    })
  })

  it('have names of their own, and must be there', async () => {
    await plane.query("INSERT INTO node_group (name, cname_zone) VALUES ('Europe', 'eu.example')")
    await expect(plane.run('group.save', { id: 1, name: 'Europe' })).rejects.toMatchObject({ key: 'name_taken' })
    await expect(plane.run('group.save', { id: 99, name: 'x' })).rejects.toMatchObject({ key: 'not_found' })
  })

  const save = operations.find((op) => op.id === 'group.save')
  const parse = (input: object) => save?.input.safeParse({ id: 1, ...input }, { reportInput: true })

  it.each([
    [{ allowedPrivateOrigins: ['*', '10.0.0.1'] }, 'allowedPrivateOrigins.1', 'allowed_origin'],
    [{ allowedPrivateOrigins: ['10.0.0.0/33'] }, 'allowedPrivateOrigins.0', 'allowed_origin'],
    [{ allowedPrivateOrigins: ['host:0'] }, 'allowedPrivateOrigins.0', 'allowed_origin'],
    [{ allowedPrivateOrigins: ['a.example:80 b.example:80'] }, 'allowedPrivateOrigins.0', 'allowed_origin'],
    [{ allowedPrivateOrigins: ['::1:80'] }, 'allowedPrivateOrigins.0', 'allowed_origin'],
    [{ allowedPrivateOrigins: ['[10.0.0.1]:80'] }, 'allowedPrivateOrigins.0', 'allowed_origin'],
    [{ cnameZone: '*.zone.example' }, 'cnameZone', 'domain'],
    [{ cnameZone: 'no zone' }, 'cnameZone', 'domain'],
    [{ cacheMaxMb: 15 }, 'cacheMaxMb', 'too_small', { min: 16 }],
    [{ name: ' ' }, 'name', 'required'],
  ] as const)(
    'refuse %j and say which field is wrong, in both languages',
    (input, path, key, params?: Record<string, number>) => {
      const result = parse(input)
      for (const lang of LANGUAGES)
        expect(result?.error && fieldErrors(result.error, lang)).toEqual([{ path, msg: fieldText(key, lang, params) }])
    },
  )

  it('take hosts with ports, ranges and the star as they are meant', () => {
    const typed = [
      ' Origin.Example:80 ',
      '[::1]:8080',
      '[FD00::1]:443',
      'fd00::/8',
      '192.168.0.0/16',
      'localhost:1',
      '*',
    ]
    expect(parse({ allowedPrivateOrigins: typed })?.data).toEqual({
      id: 1,
      allowedPrivateOrigins: [
        'origin.example:80',
        '[::1]:8080',
        '[fd00::1]:443',
        'fd00::/8',
        '192.168.0.0/16',
        'localhost:1',
        '*',
      ],
    })
  })
})
