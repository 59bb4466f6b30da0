/** The way through all operations, in its order. */
import type { Steps } from '../walk.ts'
import { accounts } from './accounts.ts'
import { enter } from './enter.ts'
import { leave } from './leave.ts'
import { notify } from './notify.ts'
import { plane } from './plane.ts'

export const STEPS: readonly Steps[] = [enter, plane, accounts, notify, leave]
