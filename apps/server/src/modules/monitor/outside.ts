/** Outside monitors: what they fetch and what they bring. */
import { MAX_MONITORS, MAX_PROBE_AGE, MAX_PROBE_AHEAD } from '@tidegate/contract/monitor'
import type { InputOf } from '@tidegate/contract/operations/index'
import type { ProbeResult } from '@tidegate/contract/operations/monitor'
import type { Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { AppError, type FieldFault, fieldError } from '../../platform/errors.ts'
import { packOutcome } from './outcome.ts'
import type { Rule } from './rule.ts'
import { liveNodes, outsideMonitor, storeResults } from './store.ts'
import { reachOf } from './targets.ts'

export interface OutsideDeps {
  db: Db
  clock: Clock
  rule(): Promise<Rule>
}

/** Faults that are told of in one answer. */
const MAX_FAULTS = 20

const faultOf = (
  one: ProbeResult,
  nodes: ReadonlySet<number>,
  ports: readonly number[],
  now: number,
): FieldFault | null => {
  if (!nodes.has(one.node)) return { path: 'node', key: 'probe_node', params: { value: one.node } }
  if (!ports.includes(one.port)) return { path: 'port', key: 'not_one_of', params: { values: ports.join(', ') } }
  if (one.at < now - MAX_PROBE_AGE * 1000) return { path: 'at', key: 'probe_old', params: { seconds: MAX_PROBE_AGE } }
  if (one.at > now + MAX_PROBE_AHEAD * 1000) return { path: 'at', key: 'probe_ahead' }
  return null
}

/** Throws `invalid_input` that names each result that cannot be taken. */
const check = (results: readonly ProbeResult[], nodes: ReadonlySet<number>, ports: readonly number[], now: number) => {
  const fields: FieldFault[] = []
  for (const [i, one] of results.entries()) {
    const fault = faultOf(one, nodes, ports, now)
    if (fault === null) continue
    fields.push({ ...fault, path: `results.${i}.${fault.path}` })
    if (fields.length === MAX_FAULTS) break
  }
  if (fields.length > 0) throw new AppError('invalid_input', { fields })
}

const bring = async ({ db, clock, rule }: OutsideDeps, { monitor, results }: InputOf<'monitor.results'>) => {
  const now = clock.now()
  const [nodes, { ports }] = await Promise.all([liveNodes(db, now), rule()])
  check(results, new Set(nodes.map((node) => node.id)), ports, now)
  const id = await outsideMonitor(db, monitor, now, MAX_MONITORS)
  if (id === null) throw fieldError('monitor', 'too_many_items', { max: MAX_MONITORS })
  const packed = results.map(({ node, port, at, ms, ok, error }) => ({
    ...{ node, port, at },
    outcome: packOutcome({ ms, error: ok ? '' : error }),
  }))
  await storeResults(db, id, packed)
  return { data: { taken: results.length } }
}

export const outsideHandlers = (deps: OutsideDeps): Handlers<'monitor.targets' | 'monitor.results'> => ({
  'monitor.targets': async () => {
    const [nodes, { ports, frequency }] = await Promise.all([liveNodes(deps.db, deps.clock.now()), deps.rule()])
    const reached = nodes.filter(({ address }) => reachOf(address) === 'net')
    return { data: { frequency, targets: reached.map(({ id, address }) => ({ node: id, address, ports })) } }
  },
  'monitor.results': (input) => bring(deps, input),
})
