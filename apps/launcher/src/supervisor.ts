import { setTimeout as delay } from 'node:timers/promises'
import { endProcess, type ProcessIdentity } from '@tidegate/embedded/process'
import type { PartName, Say } from './texts.ts'

/** A started part: how to know that it ended and which process it is. */
export interface Started {
  identity: ProcessIdentity
  ended: Promise<string>
}

export interface Part {
  name: PartName
  /** Starts it; called again after each death. */
  start(): Promise<Started>
  /** Resolves true once it does its work; asked every 50 ms. */
  isReady(): Promise<boolean>
  /** Bound of the wait for readiness, milliseconds. */
  readyWithinMs: number
  /** Says that it is at something long, e.g. restores a backup: the wait begins anew. */
  isBusy?(): boolean
  stopSignal: NodeJS.Signals
  /** Bound of an orderly stop, milliseconds. */
  stopWithinMs: number
}

export interface SupervisorOptions {
  say: Say
  /** Aborted when everything is to stop, also while a part is still starting. */
  signal: AbortSignal
  /** First wait before a restart and its bound, milliseconds. */
  backoffMs?: { first: number; most: number }
  /** A part that ran this long starts its waits from the first again. */
  steadyMs?: number
  random?: () => number
}

export interface Supervised {
  name: PartName
  /** The process that runs now. */
  current(): ProcessIdentity
  stop(): Promise<void>
}

/**
 * Starts a part, waits until it is ready and keeps it running until `stop`. Rejects when the first start fails;
 * later ones are repeated with growing, jittered waits.
 */
export async function supervise(part: Part, options: SupervisorOptions): Promise<Supervised> {
  const { say, signal, backoffMs = { first: 250, most: 15_000 }, steadyMs = 30_000, random = Math.random } = options
  const halt = new AbortController()
  const halted = AbortSignal.any([signal, halt.signal])
  let running: Started
  say('starting', { part: part.name })
  running = await startUntilReady(part, halted)
  say('ready', { part: part.name })

  const keeping = (async () => {
    let failures = 0
    let since = Date.now()
    let reason = await running.ended
    while (!halted.aborted) {
      failures = Date.now() - since > steadyMs ? 0 : failures
      const wait = Math.round(Math.min(backoffMs.most, backoffMs.first * 2 ** failures) * (0.5 + random()))
      failures++
      say('died', { part: part.name, reason, ms: wait })
      await delay(wait, undefined, { signal: halted }).catch(() => {})
      if (halted.aborted) return
      since = Date.now()
      try {
        running = await startUntilReady(part, halted)
        say('ready', { part: part.name })
        reason = await running.ended
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
      }
    }
  })()

  return {
    name: part.name,
    current: () => running.identity,
    async stop() {
      halt.abort()
      say('stopping', { part: part.name })
      if ((await endPart(part, running)) === 'forced') say('killed', { part: part.name })
      // Ends whatever a restart in progress had started before it noticed.
      await keeping
    },
  }
}

async function endPart(part: Part, running: Started): Promise<'orderly' | 'forced'> {
  const how = await endProcess(running.identity, [
    [part.stopSignal, part.stopWithinMs],
    ['SIGKILL', 5_000],
  ])
  return how === 'SIGKILL' || how === 'alive' ? 'forced' : 'orderly'
}

/** Throws when it ends, stays unready too long or is no longer wanted; nothing of it is left running then. */
async function startUntilReady(part: Part, halted: AbortSignal): Promise<Started> {
  const started = await part.start()
  let over: string | undefined
  void started.ended.then((reason) => {
    over = reason
  })
  let deadline = Date.now() + part.readyWithinMs
  while (over === undefined && !halted.aborted && Date.now() < deadline) {
    if (await part.isReady()) return started
    if (part.isBusy?.()) deadline = Date.now() + part.readyWithinMs
    await delay(50)
  }
  const reason = over ?? `not ready within ${Math.round(part.readyWithinMs / 1_000)} s`
  if (over === undefined) await endPart(part, started)
  throw new Error(halted.aborted ? 'stopped' : reason)
}
