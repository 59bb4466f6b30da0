/** The dispatch settings as monitoring reads them. */
import type { DispatchConfig } from '@tidegate/contract/config/dispatch'
import { PROBE_ROUNDS } from '@tidegate/contract/monitor'

export interface Rule {
  ports: number[]
  /** Seconds. */
  frequency: number
  failPercent: number
}

export const ruleOf = (config: DispatchConfig): Rule => ({
  ports: config.checkNodePortList.split('|').map(Number),
  frequency: config.checkNodeFrequency,
  failPercent: config.failPercent,
})

/** Results of a monitor that count, ms back from its newest; the rounds' own jitter is let in. */
export const windowMs = ({ frequency }: Rule) => (PROBE_ROUNDS - 0.5) * frequency * 1000

/** A monitor that brought nothing for this long, ms, does not count: three rounds, and time to bring them. */
export const silentMs = ({ frequency }: Rule) => 3 * frequency * 1000 + 15_000
