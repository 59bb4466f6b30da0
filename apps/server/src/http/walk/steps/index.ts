/** The way through all operations, in its order. */
import type { Steps } from '../walk.ts'
import { accounts } from './accounts.ts'
import { backup } from './backup.ts'
import { black } from './black.ts'
import { certificates } from './certificates.ts'
import { customers } from './customers.ts'
import { enter } from './enter.ts'
import { exports } from './exports.ts'
import { leave } from './leave.ts'
import { license } from './license.ts'
import { messages } from './messages.ts'
import { monitor } from './monitor.ts'
import { notify } from './notify.ts'
import { outside } from './outside.ts'
import { plane } from './plane.ts'
import { schedule } from './schedule.ts'
import { security } from './security.ts'
import { settings } from './settings.ts'
import { tools } from './tools.ts'
import { usage } from './usage.ts'
import { workOrders } from './work-orders.ts'

export const STEPS: readonly Steps[] = [
  enter,
  plane,
  certificates,
  accounts,
  messages,
  workOrders,
  settings,
  monitor,
  customers,
  notify,
  outside,
  security,
  schedule,
  usage,
  exports,
  backup,
  license,
  black,
  tools,
  leave,
]
