/** Decides whether to enrol: no identity yet, or a token that was not used before. Keeps the certificate fresh afterwards. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '@tidegate/contract/node/hash'
import { createBackoff } from '../control/backoff.ts'
import { type ControlClient, ControlError } from '../control/client.ts'
import { type Link, retryDelay } from '../control/link.ts'
import { pause } from '../control/pause.ts'
import { errorText, type Log } from '../log.ts'
import { type Enrolment, enroll, renew } from './enroll.ts'
import { type Identity, loadIdentity } from './identity.ts'
import { renewalTime } from './keys.ts'

const LONGEST_SLEEP_MS = 3_600_000
/** What belongs to an installation and means something else, or nothing, in another. */
const OF_THE_INSTALLATION = ['state', 'state.prev', 'spool', 'cache']

export type Establish = Enrolment & Readonly<{ log: Log; signal: AbortSignal; stopEngine: () => Promise<void> }>

async function forgetInstallation(order: Establish): Promise<void> {
  order.log.warn('other_installation', { nodeDir: order.nodeDir })
  await order.stopEngine()
  for (const name of OF_THE_INSTALLATION) await rm(join(order.nodeDir, name), { recursive: true, force: true })
}

async function enrollPatiently(order: Establish): Promise<Identity> {
  const backoff = createBackoff(500, 30_000)
  for (;;) {
    try {
      return await enroll(order)
    } catch (error) {
      // An answer, or a peer with another CA, will not change by asking again.
      if (error instanceof ControlError && error.status < 500) throw error
      if (order.signal.aborted || (error instanceof Error && error.message.includes('pinned CA'))) throw error
      order.log.warn('enroll_failed', { error: errorText(error) })
      await pause(backoff.next(), order.signal)
    }
  }
}

/**
 * The node's identity, enrolling when there is none yet or the token is a new one. A node that comes to another installation
 * (another CA) first forgets what it had of the one before. Throws when enrolment is refused and there is nothing to go on with.
 */
export async function establishIdentity(order: Establish): Promise<Identity> {
  const held = await loadIdentity(order.nodeDir)
  const ours = held?.caSha256 === order.caSha256 ? held : undefined
  if (ours !== undefined && (order.token === '' || ours.tokenSha256 === sha256Hex(order.token))) return ours
  if (order.token === '') {
    throw new Error(held === undefined ? 'not enrolled, and no token' : 'enrolled with another CA, and no token')
  }
  if (ours !== undefined) {
    return enroll(order).catch((error) => {
      order.log.warn('enroll_again_failed', { error: errorText(error) })
      return ours
    })
  }
  const identity = await enrollPatiently(order)
  if (held !== undefined) await forgetInstallation(order)
  order.log.info('enrolled', { nodeId: identity.nodeId, nodeName: identity.nodeName })
  return identity
}

/** Renews at two thirds of the certificate's life, until `signal` aborts. */
export async function keepRenewed(
  nodeDir: string,
  current: { identity: Identity },
  client: ControlClient,
  link: Link,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const backoff = createBackoff(1_000, 600_000)
  while (!signal.aborted) {
    const due = renewalTime(current.identity.certificate) - Date.now()
    if (due > 0) {
      await pause(Math.min(due, LONGEST_SLEEP_MS), signal)
      continue
    }
    try {
      current.identity = await renew(nodeDir, current.identity, client)
      backoff.reset()
      log.info('certificate_renewed')
    } catch (error) {
      log.warn('renew_failed', { error: errorText(error) })
      await pause(retryDelay(link, backoff.next()), signal)
    }
  }
}
