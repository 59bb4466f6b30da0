/** What monitors together say of a node, who is told of it, and what the console is shown. */
import { DISPATCH_LIMITS } from '@tidegate/contract/config/dispatch'
import { operationById } from '@tidegate/contract/operations/index'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call } from '../../testing/app.ts'
import { type Monitoring, monitoring, notices } from './testing.ts'
import { healthOf, voteOf } from './verdict.ts'

let its: Monitoring
beforeEach(async () => {
  its = await monitoring()
})
afterEach(() => its.server.close())

const config = (value: object) =>
  call(its.server, 'sys/config/save', {
    token: its.admin,
    body: { paramKey: 'dispatch_config', paramValue: JSON.stringify(value) },
  })
const healthOfNodes = async () => Object.fromEntries((await its.stable()).list.map((one) => [one.name, one.health]))

describe('the verdict', () => {
  const sight = (fails: number, checks = 10) => ({ checks, fails, rounds: checks })

  it('of one monitor: it fails from the set rate on, comes back at half of it, and needs three rounds', () => {
    expect([voteOf(sight(7), 80, false).fails, voteOf(sight(8), 80, false).fails]).toEqual([false, true])
    expect([voteOf(sight(4), 80, true).fails, voteOf(sight(3), 80, true).fails]).toEqual([true, false])
    expect([voteOf(sight(2, 2), 80, false).counts, voteOf(sight(3, 3), 80, false).counts]).toEqual([false, true])
    for (const percent of [DISPATCH_LIMITS.failPercent.min, DISPATCH_LIMITS.failPercent.max])
      expect([voteOf(sight(0), percent, false).fails, voteOf(sight(10), percent, false).fails]).toEqual([false, true])
  })

  it('of all: more than half of those that count; a tie leaves the node in; nobody knows without any', () => {
    const votes = (text: string) => [...text].map((c) => ({ counts: c !== '?', fails: c === 'x' }))
    const word = (text: string) => healthOf(votes(text)).health
    expect(['', '?', 'x', 'o', 'xo', 'xxo', 'xoo', 'x?', 'xx??', 'xxoo', 'xxxoo'].map(word)).toEqual([
      'unknown',
      'unknown',
      'failing',
      'ok',
      'ok',
      'failing',
      'ok',
      'failing',
      'failing',
      'ok',
      'failing',
    ])
  })
})

describe('a node', () => {
  it('that one monitor alone calls dead stays; it fails once more than half say so, and comes back', async () => {
    const a = await its.addNode('edge-1', '203.0.113.1')
    const b = await its.addNode('edge-2', '203.0.113.2')
    await its.rounds(10, {
      liar: { [a]: false, [b]: true },
      tokyo: { [a]: true, [b]: true },
      oslo: { [a]: true, [b]: true },
    })
    expect(await its.judge()).toBe(0)
    const [row] = (await its.stable()).list
    expect(row).toMatchObject({ name: 'edge-1', health: 'ok', leaves: false, votes: { fails: 1, total: 3 } })
    expect(row?.failPercent).toBeCloseTo(33.3, 1)
    expect(row?.monitors.map((m) => [m.name, m.failPercent, m.fails])).toEqual([
      ['liar', 100, true],
      ['oslo', 0, false],
      ['tokyo', 0, false],
    ])
    await its.rounds(10, {
      liar: { [a]: false, [b]: true },
      tokyo: { [a]: false, [b]: true },
      oslo: { [a]: true, [b]: true },
    })
    expect(await its.judge()).toBe(1)
    expect((await its.stable()).list[0]).toMatchObject({
      health: 'failing',
      leaves: true,
      votes: { fails: 2, total: 3 },
    })
    expect(await healthOfNodes()).toEqual({ 'edge-1': 'failing', 'edge-2': 'ok' })
    await its.rounds(10, {
      liar: { [a]: false, [b]: true },
      tokyo: { [a]: true, [b]: true },
      oslo: { [a]: true, [b]: true },
    })
    expect(await its.judge()).toBe(1)
    expect(await healthOfNodes()).toEqual({ 'edge-1': 'ok', 'edge-2': 'ok' })
    const { changes } = await its.history(a)
    expect(changes.map((c) => [c.failing, c.votes, c.monitors])).toEqual([
      [false, { fails: 1, total: 3 }, ['oslo', 'tokyo']],
      [true, { fails: 2, total: 3 }, ['liar', 'tokyo']],
    ])
  })

  it('of whose failing the staff is told once, by what the settings switch on, and once when it is back', async () => {
    const a = await its.addNode('edge-1', '203.0.113.1')
    await config({ mailNotice: 'ops@example.com', mailNoticeStatus: 1, smsNotice: '13800138000', smsNoticeStatus: 1 })
    its.server.clock.advance(10)
    await its.rounds(4, { tokyo: { [a]: false } })
    expect([await its.judge(), await its.judge()]).toEqual([1, 0])
    await its.rounds(2, { tokyo: { [a]: false } })
    expect(await its.judge()).toBe(0)
    expect(await notices(its)).toEqual(['node_down edge-1 mail ops@example.com', 'node_down edge-1 sms 13800138000'])
    const { rows } = await its.pool.query<{ vars: { reason: string; time: string } }>('SELECT vars FROM notice LIMIT 1')
    expect(rows[0]?.vars).toMatchObject({
      reason: '100% (1/1: tokyo)',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
    })
    const state = await call(its.server, 'sys/home/state', { method: 'GET', token: its.admin })
    expect((state.body.data as { attention: object[] }).attention).toContainEqual(
      expect.objectContaining({ key: 'node_failing', params: { id: a, node: 'edge-1' } }),
    )
    await config({ smsNoticeStatus: 0 })
    await its.rounds(10, { tokyo: { [a]: true } })
    expect([await its.judge(), await its.judge()]).toEqual([1, 0])
    // The record was saved without an address of either: nobody is left to be told.
    expect(await notices(its)).toHaveLength(2)
    await config({ mailNotice: 'ops@example.com' })
    its.server.clock.advance(10)
    await its.rounds(10, { tokyo: { [a]: false } })
    await its.judge()
    await its.rounds(10, { tokyo: { [a]: true } })
    await its.judge()
    expect((await notices(its)).slice(2)).toEqual([
      'node_down edge-1 mail ops@example.com',
      'node_back edge-1 mail ops@example.com',
    ])
  })

  it('that two processes judge at once is told of once', async () => {
    const a = await its.addNode('edge-1', '203.0.113.1')
    await config({ mailNotice: 'ops@example.com' })
    await its.rounds(5, { tokyo: { [a]: false } })
    const told = await Promise.all([its.judge(), its.judge(), its.judge(), its.judge()])
    expect(told.reduce<number>((n, one) => n + (one ?? 0), 0)).toBe(1)
    expect(await notices(its)).toHaveLength(1)
  })

  it('is unknown when its monitors fall silent, and nothing is told until they speak again', async () => {
    const a = await its.addNode('edge-1', '203.0.113.1')
    await config({ mailNotice: 'ops@example.com' })
    await its.rounds(5, { tokyo: { [a]: false } })
    expect(await its.judge()).toBe(1)
    its.server.clock.advance(46)
    expect(await its.judge()).toBe(0)
    expect((await its.stable()).list[0]).toMatchObject({
      health: 'unknown',
      leaves: false,
      votes: { fails: 0, total: 0 },
      failPercent: null,
    })
    await its.rounds(4, { tokyo: { [a]: false } })
    expect(await its.judge()).toBe(0)
    expect(await healthOfNodes()).toEqual({ 'edge-1': 'failing' })
    expect(await notices(its)).toHaveLength(1)
  })

  it('is judged by the rate that is set', async () => {
    const a = await its.addNode('edge-1', '203.0.113.1')
    await its.rounds(6, { tokyo: { [a]: true } })
    await its.rounds(4, { tokyo: { [a]: false } })
    await its.judge()
    expect(await healthOfNodes()).toEqual({ 'edge-1': 'ok' })
    await config({ failPercent: 40 })
    its.server.clock.advance(6)
    await its.judge()
    expect(await healthOfNodes()).toEqual({ 'edge-1': 'failing' })
  })

  it('that fails does not leave when no other of its group is well', async () => {
    const { rows } = await its.pool.query(
      `INSERT INTO node_group (name, cname_zone) VALUES ('asia', 'asia.test') RETURNING id`,
    )
    const asia = Number(rows[0].id)
    const a = await its.addNode('edge-1', '203.0.113.1', asia)
    const b = await its.addNode('edge-2', '203.0.113.2', asia)
    const c = await its.addNode('edge-3', '203.0.113.3')
    await its.rounds(5, { tokyo: { [a]: false, [b]: false, [c]: true } })
    await its.judge()
    const leaves = async () => Object.fromEntries((await its.stable()).list.map((one) => [one.name, one.leaves]))
    expect(await leaves()).toEqual({ 'edge-1': false, 'edge-2': false, 'edge-3': false })
    await its.rounds(10, { tokyo: { [a]: false, [b]: true, [c]: true } })
    await its.judge()
    expect(await leaves()).toEqual({ 'edge-1': true, 'edge-2': false, 'edge-3': false })
  })
})

describe('the state of the nodes', () => {
  it('is asked for by its path in the specification, by group and health, with every field of the contract [S7.18 S2.32]', async () => {
    const { rows } = await its.pool.query(
      `INSERT INTO node_group (name, cname_zone) VALUES ('asia', 'asia.test') RETURNING id`,
    )
    const asia = Number(rows[0].id)
    const a = await its.addNode('edge-1', '203.0.113.1')
    const b = await its.addNode('edge-2', '203.0.113.2', asia)
    await its.addNode('edge-3', '')
    await its.rounds(4, { tokyo: { [a]: false, [b]: true } })
    await its.judge()
    for (const base of ['/antsxdp/', '/ants-dns-api/', '/api/']) {
      const reply = await call(its.server, `${base}sys/cdnsys/auth/group/node/stable/infos`, { token: its.admin })
      expect(reply.body.code).toBe(1)
      operationById('dispatch.stable').output.parse(reply.body)
    }
    const all = await its.stable()
    expect(all.list.map((one) => [one.groupName, one.name, one.health, one.probed])).toEqual([
      ['asia', 'edge-2', 'ok', true],
      ['default', 'edge-1', 'failing', true],
      ['default', 'edge-3', 'unknown', false],
    ])
    expect(all.groups).toEqual([
      { id: asia, name: 'asia', nodes: 1, ok: 1, failing: 0, unknown: 0 },
      { id: 1, name: 'default', nodes: 2, ok: 0, failing: 1, unknown: 1 },
    ])
    expect(all.monitors).toMatchObject([{ name: 'tokyo', kind: 'outside', reports: true, nodes: 2 }])
    expect(all.rule).toEqual({ ports: [80, 443], frequency: 10, failPercent: 80 })
    const failing = all.list[1]
    expect(failing?.points.map((p) => [p.checks, p.fails])).toEqual([
      [2, 2],
      [2, 2],
      [2, 2],
      [2, 2],
    ])
    expect(failing?.since).toBe(new Date(its.server.clock.now()).toISOString())
    const names = async (input: object) => (await its.stable(input)).list.map((one) => one.name)
    expect(await names({ groupId: asia })).toEqual(['edge-2'])
    expect(await names({ health: 'failing' })).toEqual(['edge-1'])
    expect(await names({ key: '113.2' })).toEqual(['edge-2'])
    expect((await its.stable({ page: 2, limit: 10 })).list).toEqual([])
  })
})

describe('the clean-up', () => {
  it('takes results that nobody adds to, silent monitors and old changes, as its parameters say', async () => {
    const a = await its.addNode('edge-1', '203.0.113.1')
    await its.rounds(4, { tokyo: { [a]: false } })
    await its.judge()
    const task = its.server.built.monitor.tasks?.[0]
    const run = (params: object) =>
      task?.run(task.params.parse(params), { signal: AbortSignal.timeout(60_000), say: () => {}, progress: () => {} })
    its.server.clock.advance(3 * 3600)
    expect(await run({})).toEqual({ results: 0, monitors: 0, changes: 0 })
    expect(await run({ hours: 2 })).toEqual({ results: 2, monitors: 0, changes: 0 })
    its.server.clock.advance(2 * 86_400)
    expect(await run({ days: 2 })).toEqual({ results: 0, monitors: 1, changes: 1 })
  })
})
