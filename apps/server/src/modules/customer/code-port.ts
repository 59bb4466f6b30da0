/** What this module asks of verification codes; the composition root puts the real ones in (modules/notify). */
import type { CodeChannel } from '@tidegate/contract/enums'
import type { Caller } from '../../platform/caller.ts'

export interface CodeTarget {
  channel: CodeChannel
  address: string
  purpose: 'register' | 'forgot' | 'bind'
}

/** Who asks: codes are limited by address. `deliver` false: nothing goes out, and everything else is as if it did. */
export type CodeOrder = Pick<Caller, 'lang' | 'ip'> & { deliver?: boolean }

export interface CodePort {
  /**
   * Sends a fresh code; an earlier one of the target is void. Throws `too_many` when it was asked for too often, `mail_unset` or
   * `sms_unset` when the channel is not set up.
   */
  send(target: CodeTarget, order: CodeOrder): Promise<void>
  /** Whether the code is right; a right one is used up, and so is one after too many wrong tries. Counts in a transaction of its own. */
  check(target: CodeTarget, code: string): Promise<boolean>
}
