/** What this module asks of verification codes; the composition root puts the real one in. */
import type { CodeChannel, Lang } from '@tidegate/contract/enums'
import type { Queryable } from '../../platform/db.ts'

export interface CodeTarget {
  channel: CodeChannel
  address: string
  purpose: 'register' | 'forgot' | 'bind'
}

export interface CodeOrder {
  lang: Lang
  /** The caller's address; codes are limited by it too. */
  ip: string
  /** False: nothing goes out, and everything else is as if it did. */
  deliver?: boolean
}

export interface CodePort {
  /**
   * Sends a fresh code; an earlier one of the target is void. Throws `too_many` when it was asked for too often, `mail_unset` or
   * `sms_unset` when the channel is not set up.
   */
  send(target: CodeTarget, order: CodeOrder): Promise<void>
  /** Whether the code is right; a right one is used up. Wrong tries are counted, outside of `tx`. */
  check(tx: Queryable, target: CodeTarget, code: string): Promise<boolean>
}
