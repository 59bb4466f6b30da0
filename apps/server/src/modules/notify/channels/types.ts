/** What the channels have in common. */
import type { NotifyEvent } from '@tidegate/contract/config/notify'
import type { Lang } from '@tidegate/contract/enums'
import type { Rendered, Values } from '../render.ts'

/** One notice, ready to go out. */
export interface Outgoing {
  /** Stays the same over all tries, so that a receiver can tell a repetition. */
  id: string
  event: NotifyEvent
  lang: Lang
  to: string
  rendered: Rendered
  values: Values
  /** To be awaited immediately before the peer may get it; throws LostLease when this worker may no longer send. */
  handing: () => Promise<void>
}

/** Sends; answers what the peer said, or throws a DeliveryError. */
export type Send = (notice: Outgoing) => Promise<string>
