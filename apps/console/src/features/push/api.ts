/** Pushes, as the list has them. */
import type { ListRow } from '@tidegate/contract/operations/index'

export const PUSHES = ['push'] as const
export type PushRow = ListRow<'push.list'>
