/** The nodes' own agents as monitors: they bring what they saw and get what to probe next. */
import { MAX_PROBE_AGE, MAX_PROBE_AHEAD } from '@tidegate/contract/monitor'
import type { ProbeReply, ProbeReport } from '@tidegate/contract/node/protocol'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { packOutcome } from './outcome.ts'
import type { Rule } from './rule.ts'
import { agentMonitor, liveNodes, storeResults } from './store.ts'
import { type AgentTarget, assign } from './targets.ts'

export interface AgentsDeps {
  db: Db
  clock: Clock
  rule(): Promise<Rule>
}

/** How long the nodes are remembered: every agent asks once a round. */
const MEMORY_MS = 5_000

interface Assigned {
  nodes: ReadonlySet<number>
  tasks: ReadonlyMap<number, AgentTarget[]>
}

export type ExchangeProbes = (nodeId: number, report: ProbeReport) => Promise<ProbeReply>

/** What no longer fits is left out without a word: the next answer tells the agent what to do. */
export const createExchange = ({ db, clock, rule }: AgentsDeps): ExchangeProbes => {
  let known: { at: number; assigned: Promise<Assigned> } | undefined
  const load = async (): Promise<Assigned> => {
    const nodes = await liveNodes(db, clock.now())
    return { nodes: new Set(nodes.map((node) => node.id)), tasks: assign(nodes) }
  }
  const assigned = (): Promise<Assigned> => {
    const now = clock.now()
    if (known && Math.abs(now - known.at) < MEMORY_MS) return known.assigned
    const fresh = { at: now, assigned: load() }
    known = fresh
    // A failure is not remembered.
    fresh.assigned.catch(() => {
      if (known === fresh) known = undefined
    })
    return fresh.assigned
  }
  return async (nodeId, { results }) => {
    const now = clock.now()
    const [{ nodes, tasks }, { ports, frequency }] = await Promise.all([assigned(), rule()])
    const fit = results.filter(
      ({ node, port, at }) =>
        nodes.has(node) && ports.includes(port) && at > now - MAX_PROBE_AGE * 1000 && at < now + MAX_PROBE_AHEAD * 1000,
    )
    if (fit.length > 0) {
      const monitor = await agentMonitor(db, nodeId, now)
      await storeResults(
        db,
        monitor,
        fit.map((one) => ({ node: one.node, port: one.port, at: one.at, outcome: packOutcome(one) })),
      )
    }
    return { frequency, ports, targets: tasks.get(nodeId) ?? [] }
  }
}
