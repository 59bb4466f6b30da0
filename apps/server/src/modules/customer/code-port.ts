/** What this module asks of verification codes; the composition root puts the real ones in (modules/notify). */
import type { CodeChannel } from '@tidegate/contract/enums'
import type { Caller } from '../../platform/caller.ts'

export interface CodeTarget {
  channel: CodeChannel
  address: string
  purpose: 'register' | 'forgot' | 'bind'
}

export interface CodePort {
  /** Sends a fresh code; an earlier one of the target is void. Throws `too_many` when it was asked for too often. */
  send(target: CodeTarget, caller: Pick<Caller, 'lang' | 'ip'>): Promise<void>
  /** Whether the code is right; a right one is used up, and so is one after too many wrong tries. */
  check(target: CodeTarget, code: string): Promise<boolean>
}
