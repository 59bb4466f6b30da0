/** May this caller run this operation? What the table says; what it cannot know is the handler's. */
import { featuresOn, type PageFlags } from '@tidegate/contract/features'
import type { Operation } from '@tidegate/contract/operation'
import type { Caller } from '../platform/caller.ts'
import { AppError } from '../platform/errors.ts'

/** What works in a login in another's place although it writes. */
const ENDS_IT = 'acting.leave'

/** Who only looks changes nothing; who acts for a customer leaves passwords, keys and money alone. */
const mindActing = (op: Operation, caller: Caller): void => {
  if (caller.acting === null || op.id === ENDS_IT) return
  if (caller.acting.kind === 'preview' && op.effect === 'write') throw new AppError('preview_only')
  if (op.ownOnly === true) throw new AppError('owner_only')
}

/** Throws `unauthenticated`, `forbidden`, `preview_only`, `owner_only` or `feature_off`. `permissions` already lack what the account's unvalidModel and the installation's mode take away. */
export const authorize = (op: Operation, caller: Caller, installation: PageFlags): void => {
  mayCall(op, caller)
  if (op.features !== undefined && !featuresOn(installation, op.features)) throw new AppError('feature_off')
}

const mayCall = (op: Operation, caller: Caller): void => {
  if (op.audience === 'public') return
  if (caller.kind === 'anonymous') throw new AppError('unauthenticated')
  if (op.audience !== 'any' && op.audience !== caller.kind) throw new AppError('forbidden')
  if (op.audience === 'monitor') return
  // A key reaches what its permissions name; of what any login may, reading and what asks for a permission itself; never what is the owner's alone.
  if (caller.apiKey && (op.ownOnly || (op.permission === 'login' && op.effect === 'write' && !op.byKey)))
    throw new AppError('forbidden')
  if (op.permission !== 'login' && !(op.permission && caller.permissions.has(op.permission)))
    throw new AppError('forbidden')
  mindActing(op, caller)
}
