/** The node's report to the control plane, and `status.json` in the node's folder for who looks on the node itself. */
import { join } from 'node:path'
import { AGENT_PATHS, AGENT_PROTOCOL, type StatusReport, statusReply } from '@tidegate/contract/node/protocol'
import type { OriginAlerts } from '../config/plan.ts'
import type { Store } from '../config/store.ts'
import { createBackoff } from '../control/backoff.ts'
import type { ControlClient } from '../control/client.ts'
import { type Link, retryDelay } from '../control/link.ts'
import { pause } from '../control/pause.ts'
import type { Ports } from '../engine/material.ts'
import { writeFileAtomic } from '../files.ts'
import type { Identity } from '../identity/identity.ts'
import { errorText, type Log } from '../log.ts'
import { createSerial } from '../serial.ts'
import { folderBytes, isLowDisk, type MachineFigures, readMachine } from './metrics.ts'

const REPORT_MS = 10_000
const CACHE_WALK_MS = 300_000
/** A clock further off than this is worth a line in the log. */
const SKEW_MS = 2_000

export type StatusSources = Readonly<{
  nodeDir: string
  cacheDir: string
  agentVersion: string
  engineVersion: string
  ports: Ports
  store: Store
  link: Link
  identity: () => Identity
  engineUp: () => boolean
  spool: { bytes: () => number; full: () => boolean }
  droppedLines: () => number
  /** Whether the configuration was confirmed by the control plane since the agent started. */
  pulled: () => boolean
  origins: () => OriginAlerts
  client: ControlClient
  log: Log
  /** Called when the control plane knows a later revision than the node runs. */
  onBehind: () => void
}>

export type Status = Readonly<{
  /** Writes status.json. */
  write: () => Promise<void>
  lowDisk: () => boolean
  run: (signal: AbortSignal) => Promise<void>
}>

export function createStatus(sources: StatusSources): Status {
  const { store, link, log } = sources
  const serial = createSerial()
  let machine: MachineFigures | undefined
  let cacheBytes = 0
  let walkedAt = Number.NEGATIVE_INFINITY

  function alerts(): string[] {
    const origins = sources.origins()
    const all: Array<[string, boolean]> = [
      ['low_disk', machine !== undefined && isLowDisk(machine)],
      ['spool_full', sources.spool.full()],
      ['engine_down', !sources.engineUp()],
      ['config_from_disk', !sources.pulled() && store.revision() > 0],
      ['origin_unresolved', origins.unresolved.length > 0],
      ['origin_private', origins.private.length > 0],
    ]
    return all.filter(([, is]) => is).map(([word]) => word)
  }

  async function measure(): Promise<MachineFigures> {
    machine = await readMachine(sources.nodeDir)
    if (performance.now() - walkedAt > CACHE_WALK_MS) {
      walkedAt = performance.now()
      cacheBytes = await folderBytes(join(sources.cacheDir, 'objects'))
    }
    return machine
  }

  async function report(): Promise<StatusReport> {
    const figures = await measure()
    return {
      protocol: AGENT_PROTOCOL,
      agentVersion: sources.agentVersion,
      engineVersion: sources.engineVersion,
      time: Date.now(),
      revision: store.revision(),
      engineUp: sources.engineUp(),
      sites: store.snapshot.count('site'),
      certs: store.snapshot.count('cert'),
      ...figures,
      cacheBytes,
      spoolBytes: sources.spool.bytes(),
      droppedLines: sources.droppedLines(),
      ...sources.ports,
      alerts: alerts(),
    }
  }

  async function write(): Promise<void> {
    const { nodeId, nodeName } = sources.identity()
    const origins = sources.origins()
    const text = JSON.stringify({
      revision: store.revision(),
      engineUp: sources.engineUp(),
      controlPlane: link.state,
      clockSkewMs: link.clockSkewMs,
      nodeId,
      nodeName,
      sites: store.snapshot.count('site'),
      refused: store.refused.names(),
      ...sources.ports,
      spoolBytes: sources.spool.bytes(),
      droppedLines: sources.droppedLines(),
      alerts: alerts(),
      unresolvedOrigins: origins.unresolved,
      privateOrigins: origins.private,
      agentPid: process.pid,
      time: Date.now(),
    })
    await writeFileAtomic(join(sources.nodeDir, 'status.json'), `${text}\n`)
  }

  const writeLogged = () => serial(write).catch((error) => log.error('status_unwritable', { error: errorText(error) }))

  async function send(): Promise<void> {
    const body = await report()
    const reply = await sources.client.call({ method: 'POST', path: AGENT_PATHS.status, json: body }, statusReply)
    link.clockSkewMs = reply.time - Date.now()
    if (Math.abs(link.clockSkewMs) > SKEW_MS) log.warn('clock_skew', { ms: link.clockSkewMs })
    if (reply.revision > store.revision()) sources.onBehind()
  }

  return {
    write: writeLogged,
    lowDisk: () => machine !== undefined && isLowDisk(machine),
    run: async (signal) => {
      const backoff = createBackoff(1_000, 30_000)
      while (!signal.aborted) {
        let wait = REPORT_MS
        try {
          await send()
          backoff.reset()
        } catch (error) {
          if (signal.aborted) return
          log.warn('status_failed', { error: errorText(error) })
          wait = Math.max(1_000, retryDelay(link, backoff.next()))
        }
        await writeLogged()
        // status.json stays fresh also while reports are held back.
        for (let rest = wait; rest > 0 && !signal.aborted; rest -= REPORT_MS) {
          await pause(Math.min(rest, REPORT_MS), signal)
          if (rest > REPORT_MS) await measure().then(writeLogged, () => undefined)
        }
      }
    },
  }
}
