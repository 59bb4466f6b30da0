/** Outside monitors through the API: late, twice, forged, wrong, too many. */
import { MAX_MONITORS, MAX_PROBE_RESULTS, PROBE_KEEP } from '@tidegate/contract/monitor'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call } from '../../testing/app.ts'
import { type Monitoring, monitoring, type Probe } from './testing.ts'

let it_: Monitoring
let one = 0
let two = 0
beforeAll(async () => {
  it_ = await monitoring()
  one = await it_.addNode('edge-1', '203.0.113.1')
  two = await it_.addNode('edge-2', 'edge-2.example.com')
  await it_.addNode('edge-local', '127.0.0.1')
  await it_.addNode('edge-nameless', '')
})
afterAll(() => it_.server.close())
beforeEach(async () => {
  it_.server.clock.advance(120)
  await it_.pool.query('DELETE FROM monitor')
})

const seen = async (node: number) =>
  (await it_.history(node)).results.map(({ monitor, port, at, ms, error }) => [
    monitor,
    port,
    new Date(at).getTime() - it_.server.clock.now(),
    ms,
    error,
  ])

describe('what a monitor fetches', () => {
  it('is every node that can be reached from outside, with the check ports and how often', async () => {
    const reply = await call(it_.server, it_.path, { method: 'GET', token: it_.token })
    expect([reply.status, reply.body.data]).toEqual([
      200,
      {
        frequency: 10,
        targets: [
          { node: one, address: '203.0.113.1', ports: [80, 443] },
          { node: two, address: 'edge-2.example.com', ports: [80, 443] },
        ],
      },
    ])
  })
})

describe('what a monitor brings', () => {
  it('is kept with port, time, duration and reason', async () => {
    const { probe } = it_
    const reply = await it_.bring('tokyo', [
      probe(one, true, { ms: 31 }),
      probe(one, false, { port: 443, ms: 3000, error: 'refused' }),
      probe(two, false, { error: undefined as unknown as string }),
    ])
    expect([reply.status, reply.body.data]).toEqual([200, { taken: 3 }])
    expect(await seen(one)).toEqual([
      ['tokyo', 80, 0, 31, ''],
      ['tokyo', 443, 0, 3000, 'refused'],
    ])
    expect(await seen(two)).toEqual([['tokyo', 80, 0, 12, 'other']])
  })

  it('counts once however often it is brought, and in its own place when it comes late', async () => {
    const now = it_.server.clock.now()
    const at = (seconds: number, more: Partial<Probe> = {}) =>
      it_.probe(one, true, { at: now - seconds * 1000, ...more })
    const late = [at(40, { ok: false, error: 'reset' }), at(20)]
    for (const batch of [[at(30), at(10)], late, late, [at(10, { ms: 999 }), at(10, { ms: 998 })]])
      expect((await it_.bring('tokyo', batch)).status).toBe(200)
    expect((await seen(one)).map(([, , ago, ms, error]) => [ago, ms, error])).toEqual([
      [-10_000, 12, ''],
      [-20_000, 12, ''],
      [-30_000, 12, ''],
      [-40_000, 12, 'reset'],
    ])
  })

  it('is bounded: of each port the newest stay, also when many come at once or late', async () => {
    const now = it_.server.clock.now()
    const batch = Array.from({ length: 200 }, (_, i) => it_.probe(one, true, { at: now - i * 10_000, ms: i }))
    await it_.bring('tokyo', batch)
    await it_.bring('tokyo', [it_.probe(one, true, { at: now - 5_000, ms: 500 })])
    await it_.bring('tokyo', [it_.probe(one, true, { at: now - 3_000_000, ms: 501 })])
    const kept = (await seen(one)).map(([, , , ms]) => ms)
    expect(kept).toEqual([0, 500, ...Array.from({ length: PROBE_KEEP - 2 }, (_, i) => i + 1)])
  })

  it('of several monitors at once about the same nodes is all kept', async () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const replies = await Promise.all(
      names.flatMap((name) =>
        [one, two].map((node) => it_.bring(name, [it_.probe(node), it_.probe(one, true, { port: 443 })])),
      ),
    )
    expect(replies.map((r) => r.status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect((await seen(one)).map(([name, port]) => `${name} ${port}`).sort()).toEqual(
      names.flatMap((name) => [`${name} 443`, `${name} 80`]),
    )
  })

  const UNKNOWN = 987_654
  const WRONG: [what: string, change: (p: Probe) => object, field: string, en: string, zh: string][] = [
    [
      'an unknown node',
      () => ({ node: UNKNOWN }),
      'node',
      `is not a node of this installation: ${UNKNOWN}`,
      `没有此节点，或节点已停用：${UNKNOWN}`,
    ],
    ['a port that is not checked', () => ({ port: 22 }), 'port', 'must be one of 80, 443', '只能是以下之一：80, 443'],
    ['a port that is none', () => ({ port: 0 }), 'port', 'the port must be 1~65535', '端口范围为 1~65535'],
    ['no time', () => ({ at: 'now' }), 'at', 'is not in the right form', '格式不正确'],
    ['a time long ago', (p) => ({ at: p.at - 3_601_000 }), 'at', 'is more than 3600 s ago', '不能早于 3600 秒前'],
    [
      'a time to come',
      (p) => ({ at: p.at + 61_000 }),
      'at',
      "is ahead of the server's time, please set the clock",
      '晚于服务器时间，请校准时钟',
    ],
    ['no verdict', () => ({ ok: 'yes' }), 'ok', 'is not in the right form', '格式不正确'],
    ['a negative time', () => ({ ms: -1 }), 'ms', 'must not be less than 0', '不能小于 0'],
    ['an endless time', () => ({ ms: 60_001 }), 'ms', 'must not be greater than 60000', '不能大于 60000'],
    [
      'a reason of its own',
      () => ({ error: 'gremlins' }),
      'error',
      'must be one of timeout, refused, unreachable, reset, name, other',
      '只能是以下之一：timeout, refused, unreachable, reset, name, other',
    ],
  ]
  it.each(WRONG)('with %s is refused whole, at its field, in both languages', async (_what, change, field, en, zh) => {
    const good = it_.probe(one)
    const batch = [good, { ...good, ...change(good) } as Probe]
    for (const [lang, msg] of [
      ['en', en],
      ['zh', zh],
    ] as const) {
      const reply = await it_.bring('tokyo', batch, lang)
      expect([reply.status, reply.body.errors]).toEqual([400, [{ path: `results.1.${field}`, msg }]])
    }
    expect(await seen(one)).toEqual([])
  })

  it('is bounded in number, and needs a name of one line', async () => {
    const many = Array.from({ length: MAX_PROBE_RESULTS + 1 }, () => it_.probe(one))
    const paths = async (monitor: string, results: Probe[]) =>
      ((await it_.bring(monitor, results)).body.errors as { path: string; msg: string }[])[0]
    expect(await paths('tokyo', many)).toEqual({ path: 'results', msg: 'at most 2000 entries' })
    expect(await paths('  ', [])).toEqual({ path: 'monitor', msg: 'is required' })
    expect(await paths('a\nb', [])).toEqual({ path: 'monitor', msg: 'must be one line of text' })
    expect(await paths('x'.repeat(65), [])).toEqual({ path: 'monitor', msg: 'must not be longer than 64' })
  })

  it('comes from so many monitors and no more', async () => {
    await it_.pool.query(
      `INSERT INTO monitor (kind, name, first_at, last_at) SELECT 'outside', 'm' || i, now(), now() FROM generate_series(1, $1) i`,
      [MAX_MONITORS],
    )
    expect((await it_.bring('one-more', [])).body.errors).toEqual([{ path: 'monitor', msg: 'at most 50 entries' }])
    expect((await it_.bring('m1', [it_.probe(one)])).status).toBe(200)
  })

  it('of a revoked node is refused, and the node is no longer among the targets', async () => {
    const gone = await it_.addNode('edge-gone', '203.0.113.9')
    expect((await it_.bring('tokyo', [it_.probe(gone)])).status).toBe(200)
    await it_.pool.query('UPDATE node SET revoked_at = now() WHERE id = $1', [gone])
    expect((await it_.bring('tokyo', [it_.probe(gone)])).body.errors).toMatchObject([{ path: 'results.0.node' }])
    const reply = await call(it_.server, it_.path, { method: 'GET', token: it_.token })
    expect(JSON.stringify(reply.body)).not.toContain('203.0.113.9')
  })
})

describe('the token', () => {
  it('forged, of an administrator, or the one before a renewal opens nothing', async () => {
    const renewed = await call(it_.server, 'sys/cdnsys/auth/check/key/renew', { token: it_.admin })
    expect(renewed.status).toBe(200)
    const before = it_.token
    const shown = await call(it_.server, 'sys/cdnsys/auth/check/key/show', { method: 'GET', token: it_.admin })
    const after = String(shown.body.token)
    const status = async (token: string) => (await it_.bring('tokyo', [it_.probe(one)], 'en', token)).status
    expect(await Promise.all([before, `${after}x`, after.slice(1), 'forged', it_.admin].map(status))).toEqual([
      401, 401, 401, 401, 403,
    ])
    expect(await seen(one)).toEqual([])
    expect(await status(after)).toBe(200)
    // Nor does it open anything else.
    expect((await call(it_.server, 'sys/cdn/node/list', { token: after })).status).toBe(401)
    Object.assign(it_, { token: after })
  })

  it('is asked for so often from one address and no more; others are not held up', async () => {
    const ask = async (token: string, ip: string) =>
      (await call(it_.server, it_.path, { method: 'GET', token, ip })).status
    const tries: number[] = []
    for (let i = 0; i < 101; i++) tries.push(await ask('guess', '198.51.100.66'))
    expect([new Set(tries.slice(0, 100)), tries[100]]).toEqual([new Set([401]), 429])
    expect(await ask(it_.token, '198.51.100.66')).toBe(429)
    expect(await ask(it_.token, '198.51.100.67')).toBe(200)
    it_.server.clock.advance(1)
    expect(await ask(it_.token, '198.51.100.66')).toBe(200)
  })
})
