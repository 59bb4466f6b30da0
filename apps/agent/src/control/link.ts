/** What the node knows about its connection to the control plane; every request writes it, the status reads it. */
export type LinkState = 'unknown' | 'connected' | 'away' | 'revoked'

export type Link = {
  state: LinkState
  /** Unix ms of the last answer that was not an error; 0 = none yet. */
  lastOk: number
  /** Server's clock minus the node's, ms, as of the last status reply. */
  clockSkewMs: number
}

/** A revoked node asks again rarely: somebody may have taken the revocation back. */
const REVOKED_PAUSE_MS = 300_000

export function createLink(): Link {
  return { state: 'unknown', lastOk: 0, clockSkewMs: 0 }
}

/** How long to wait before the next try, given what the back-off says. */
export function retryDelay(link: Link, backoffMs: number): number {
  return link.state === 'revoked' ? REVOKED_PAUSE_MS / 2 + Math.random() * (REVOKED_PAUSE_MS / 2) : backoffMs
}
