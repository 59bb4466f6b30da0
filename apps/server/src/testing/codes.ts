/** Verification codes for tests: each is 246810, good for the target it was sent to, once. */

import type { CodeOrder, CodePort, CodeTarget } from '../modules/customer/index.ts'
import { AppError } from '../platform/errors.ts'

export const CODE = '246810'

/** `sent`: what went out, in order. `orders`: all that was asked for. `broken`: sending fails from now on. */
export interface KnownCodes extends CodePort {
  sent: CodeTarget[]
  orders: CodeOrder[]
  broken: boolean
}

export const knownCodes = (): KnownCodes => {
  const open = new Set<string>()
  const key = ({ channel, address, purpose }: CodeTarget) => `${purpose} ${channel} ${address.toLowerCase()}`
  const port: KnownCodes = {
    sent: [],
    orders: [],
    broken: false,
    send: async (target, order) => {
      if (port.broken) throw new AppError('mail_unset')
      port.orders.push(order)
      if (order.deliver === false) return
      port.sent.push(target)
      open.add(key(target))
    },
    check: async (target, code) => code === CODE && open.delete(key(target)),
  }
  return port
}
