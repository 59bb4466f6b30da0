/** Monitoring: probes of the nodes by their own agents and by outside monitors, and what they come to. */
import type { DispatchConfig } from '@tidegate/contract/config/dispatch'
import type { Handlers } from '../../platform/caller.ts'
import type { Part } from '../../platform/part.ts'
import { createExchange, type ExchangeProbes } from './agents.ts'
import { monitorGate } from './gate.ts'
import { type JudgeDeps, judge, startJudge } from './judge.ts'
import { outsideHandlers } from './outside.ts'
import { retentionTask } from './retention.ts'
import { ruleOf } from './rule.ts'
import { failingNodes, statusHandlers } from './status.ts'

export type { ExchangeProbes } from './agents.ts'

export interface MonitorDeps extends JudgeDeps {
  config(): Promise<DispatchConfig>
  /** Whether a text is the monitoring token. */
  tokenMatches(token: string): Promise<boolean>
}

export interface MonitorModule extends Part {
  handlers: Handlers<'monitor.targets' | 'monitor.results' | 'dispatch.stable' | 'dispatch.history'>
  /** An agent brings its results and gets its next targets. */
  exchange: ExchangeProbes
  /** Whether who comes from that address with the token is an outside monitor. Throws `too_many`. */
  isMonitor(token: string, ip: string): Promise<boolean>
  /** Judges the nodes once; see `judge`. */
  judge(): Promise<number | null>
  failingNodes(): ReturnType<typeof failingNodes>
}

export const createMonitorModule = (deps: MonitorDeps): MonitorModule => {
  const { db, clock } = deps
  const rule = async () => ruleOf(await deps.config())
  let stop: (() => Promise<void>) | undefined
  return {
    name: 'monitor',
    handlers: { ...outsideHandlers({ db, clock, rule }), ...statusHandlers({ db, clock, rule }) },
    exchange: createExchange({ db, clock, rule }),
    isMonitor: monitorGate(clock, deps.tokenMatches),
    judge: () => judge(deps),
    failingNodes: () => failingNodes(db),
    tasks: [retentionTask({ db, clock })],
    start: async (roles) => {
      if (roles.has('worker')) stop = startJudge(deps)
    },
    stop: async () => stop?.(),
  }
}
