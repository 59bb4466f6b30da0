/** Which nodes are probed, at which address, and by whose agent. */
import { createHash } from 'node:crypto'
import { PROBERS_PER_NODE } from '@tidegate/contract/monitor'
import { exactDomain } from '@tidegate/contract/validators'
import ipaddr from 'ipaddr.js'

export interface LiveNode {
  id: number
  address: string
  online: boolean
}

/** `self`: only from the node's own machine, at the ports that its engine has. */
export type Reach = 'none' | 'self' | 'net'

/** How an address can be probed. What is neither an IP address nor a name cannot. */
export const reachOf = (address: string): Reach => {
  if (address === '') return 'none'
  if (!ipaddr.isValid(address)) {
    if (address === 'localhost') return 'self'
    return exactDomain.safeParse(address).success ? 'net' : 'none'
  }
  const range = ipaddr.process(address).range()
  return range === 'loopback' || range === 'unspecified' ? 'self' : 'net'
}

/** A node alone in its installation has nobody but itself. */
export const isProbed = (node: Pick<LiveNode, 'address'>, count: number): boolean =>
  count === 1 || reachOf(node.address) !== 'none'

/** Places on a ring in an order that has nothing to do with names, groups or ages. */
const place = (id: number) => createHash('sha256').update(String(id)).digest('hex')

export interface AgentTarget {
  node: number
  /** null: the node itself. */
  address: string | null
}

interface Place {
  id: number
  at: string
}

/** The next agents behind a node's place, without its own. */
const behind = (ring: readonly Place[], id: number): number[] => {
  const at = place(id)
  let low = 0
  let high = ring.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ring[middle] as Place).at > at) high = middle
    else low = middle + 1
  }
  const found: number[] = []
  for (let i = 0; i < ring.length && found.length < PROBERS_PER_NODE; i++) {
    const { id: other } = ring[(low + i) % ring.length] as Place
    if (other !== id) found.push(other)
  }
  return found
}

/**
 * Who probes whom, by the id of the agent's node. Each node that can be reached by the net is probed by the next few agents behind it on a
 * ring of those that are online, so the work grows with the nodes and not with their square; a node at a loopback address, or alone, by itself.
 */
export const assign = (nodes: readonly LiveNode[]): ReadonlyMap<number, AgentTarget[]> => {
  const ring = nodes
    .filter((node) => node.online)
    .map(({ id }) => ({ id, at: place(id) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
  const tasks = new Map<number, AgentTarget[]>(ring.map(({ id }) => [id, []]))
  for (const { id, address } of nodes) {
    const reach = nodes.length === 1 ? 'self' : reachOf(address)
    if (reach === 'self') tasks.get(id)?.push({ node: id, address: null })
    if (reach !== 'net') continue
    for (const prober of behind(ring, id)) tasks.get(prober)?.push({ node: id, address })
  }
  return tasks
}
