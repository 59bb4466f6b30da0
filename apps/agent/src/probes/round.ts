/** One round: every target at every port once, spread over time, only so many at once. */
import type { ProbeReply, ProbeReport } from '@tidegate/contract/node/protocol'
import { pause } from '../control/pause.ts'
import type { Ports } from '../engine/material.ts'
import type { Probed } from './connect.ts'

export type ProbeResults = ProbeReport['results']

/** Connections that are being opened at once. */
const AT_ONCE = 16
/** Probes of a round; a plan that asks for more is cut. */
const MOST = 1_000
/** Share of the round over which the probes begin; the rest is for slow answers. */
const SPREAD = 0.5

/** The node itself, as its engine listens. */
export type Own = Readonly<{ host: string; ports: Ports }>

export type RoundOptions = Readonly<{
  plan: ProbeReply
  own: Own
  probe: (host: string, port: number) => Promise<Probed>
  /** Unix ms by the server's clock. */
  now: () => number
  random: () => number
  signal: AbortSignal
}>

type Job = Readonly<{ node: number; port: number; host: string; hostPort: number }>

/** Visitors' ports 80 and 443 stand for those that the engine of this node really has: it may run behind a mapping of ports. */
const ownPort = (port: number, { httpPort, httpsPort }: Ports) =>
  port === 80 ? httpPort : port === 443 ? httpsPort : port

function jobsOf({ targets, ports }: ProbeReply, own: Own): Job[] {
  const jobs = targets.flatMap(({ node, address }) =>
    ports.map((port) =>
      address === null
        ? { node, port, host: own.host, hostPort: ownPort(port, own.ports) }
        : { node, port, host: address, hostPort: port },
    ),
  )
  return jobs.slice(0, MOST)
}

/** Results in the order in which they came. Ends early, with what there is, when the signal aborts. */
export async function probeRound(options: RoundOptions): Promise<ProbeResults> {
  const { plan, own, probe, now, random, signal } = options
  const jobs = jobsOf(plan, own)
  const slot = (plan.frequency * 1000 * SPREAD) / Math.max(1, jobs.length)
  const begun = now()
  const results: ProbeResults = []
  let next = 0
  const work = async () => {
    for (let at = next++; at < jobs.length && !signal.aborted; at = next++) {
      const { node, port, host, hostPort } = jobs[at] as Job
      // Somewhere within its own slot, so that the agents of an installation do not knock in step.
      await pause(Math.max(0, begun + (at + random()) * slot - now()), signal)
      if (signal.aborted) return
      const started = now()
      const { ms, error } = await probe(host, hostPort)
      results.push({ node, port, ms, error, at: Math.round(started) })
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, jobs.length) }, work))
  return results
}
