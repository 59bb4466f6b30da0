/** What a customer may read of an entry of the own log. */
import type { AuditRow } from '@tidegate/contract/operations/audit'
import type { Caller } from '../../platform/caller.ts'

interface Detail {
  userAgent?: string
  before?: unknown
  after?: unknown
}

/**
 * The customer's own deeds as they are. Of what others did to the account only that it was done: staff stay without name and address, and the
 * states carry notes that are for the staff. Of an administrator who acted in the customer's place: that one did.
 */
export const asSeenBy = <E extends AuditRow & Detail>(caller: Caller, entry: E): E => {
  if (entry.actorKind === 'user' && entry.actorId === caller.id)
    return entry.acting ? { ...entry, actingName: '', ip: '', ...('userAgent' in entry && { userAgent: '' }) } : entry
  // Someone who tried to log in: from where is worth knowing.
  const staff = entry.actorKind === 'admin'
  return {
    ...entry,
    actorName: '',
    actorId: 0,
    actingName: '',
    changed: false,
    ...(staff && { ip: '', requestId: '' }),
    ...('before' in entry && { before: null, after: null }),
    ...(staff && 'userAgent' in entry && { userAgent: '' }),
  }
}
