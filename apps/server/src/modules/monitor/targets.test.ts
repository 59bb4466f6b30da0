/** Which nodes are probed, and by whom. */
import { PROBERS_PER_NODE } from '@tidegate/contract/monitor'
import { describe, expect, it } from 'vitest'
import { assign, type LiveNode, reachOf } from './targets.ts'

const node = (id: number, address = `192.0.2.${id % 250}`, online = true): LiveNode => ({ id, address, online })
const nodes = (count: number) => Array.from({ length: count }, (_, i) => node(i + 1))

describe('the reach of an address', () => {
  it.each([
    ['203.0.113.7', 'net'],
    ['10.0.0.7', 'net'],
    ['2001:db8::7', 'net'],
    ['edge-1.example.com', 'net'],
    ['127.0.0.1', 'self'],
    ['::1', 'self'],
    ['::ffff:127.0.0.1', 'self'],
    ['0.0.0.0', 'self'],
    ['localhost', 'self'],
    ['', 'none'],
    ['203.0.113.7 (eth0)', 'none'],
    ['203.0.113.7, 203.0.113.8', 'none'],
    ['http://203.0.113.7/', 'none'],
  ])('%s: %s', (address, reach) => expect(reachOf(address)).toBe(reach))
})

describe('the agents', () => {
  it('of a small installation probe all the others; one that is alone probes itself', () => {
    const tasks = assign(nodes(4))
    for (const { id } of nodes(4))
      expect(tasks.get(id)?.map((t) => t.node)).toEqual([1, 2, 3, 4].filter((other) => other !== id))
    expect(assign([node(1)])).toEqual(new Map([[1, [{ node: 1, address: null }]]]))
  })

  it('probe a node at a loopback address only from its own machine, and one without an address not at all', () => {
    const tasks = assign([node(1, '127.0.0.1'), node(2, ''), node(3)])
    expect(tasks.get(1)).toEqual([
      { node: 1, address: null },
      { node: 3, address: '192.0.2.3' },
    ])
    expect(tasks.get(2)).toEqual([{ node: 3, address: '192.0.2.3' }])
    expect(tasks.get(3)).toEqual([])
  })

  it('of a large one share the nodes: each is probed by as many others, and nobody has much more than that', () => {
    const tasks = assign(nodes(2_000))
    const seen = new Map<number, Set<number>>()
    for (const [prober, list] of tasks)
      for (const { node: target } of list) seen.set(target, (seen.get(target) ?? new Set<number>()).add(prober))
    expect(seen.size).toBe(2_000)
    for (const [target, probers] of seen) {
      expect(probers.size).toBe(PROBERS_PER_NODE)
      expect(probers.has(target)).toBe(false)
    }
    for (const list of tasks.values()) expect(list.length).toBe(PROBERS_PER_NODE)
  })

  it('that are offline probe nothing, and are probed', () => {
    const tasks = assign([node(1), node(2), node(3, '192.0.2.3', false)])
    expect(tasks.has(3)).toBe(false)
    expect(tasks.get(1)?.map((t) => t.node)).toEqual([2, 3])
  })
})
