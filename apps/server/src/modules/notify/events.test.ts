/** Who is told of what by which channel when nobody has chosen anything. */
import { NOTIFY_EVENTS, type NotifyChannel, TEMPLATE_KEYS, USER_EVENTS } from '@tidegate/contract/config/notify'
import { expect, it } from 'vitest'
import { EVENTS } from './events.ts'

const OPEN = ['message', 'mail', 'telegram', 'webhook'] as const
const ACCOUNT = ['message', 'mail'] as const
const STAFF = ['mail', 'telegram', 'webhook'] as const

const DEFAULTS: Record<(typeof NOTIFY_EVENTS)[number], readonly NotifyChannel[]> = {
  // To the address that is to be proved, and nowhere else.
  code: ['mail', 'sms'],
  meal_out: [...OPEN, 'sms'],
  meal_expire: [...OPEN, 'sms'],
  flow_out: [...OPEN, 'sms'],
  flow_expire: [...OPEN, 'sms'],
  cert_expire: OPEN,
  cert_expired: OPEN,
  cert_failed: OPEN,
  login_new: OPEN,
  password_changed: ACCOUNT,
  factor_added: ACCOUNT,
  factor_removed: ACCOUNT,
  wechat_linked: ACCOUNT,
  wechat_replaced: ACCOUNT,
  wechat_unlinked: ACCOUNT,
  // Who cannot log in reads no list of messages.
  account_disabled: ['mail'],
  work_order_reply: OPEN,
  work_order_new: STAFF,
  work_order_appeal: STAFF,
  cert_report: STAFF,
  cert_failed_report: STAFF,
  node_down: STAFF,
  node_back: STAFF,
  task_failed: STAFF,
  figures_differ: STAFF,
  test: [],
}

it.each(NOTIFY_EVENTS)('%s goes by its channels, and by no other', (event) => {
  expect([...EVENTS[event].channels].sort()).toEqual([...DEFAULTS[event]].sort())
})

it('short messages are sent of what the specification has a template for alone; customers read the rest in the console and by mail', () => {
  const bySms = NOTIFY_EVENTS.filter((event) => EVENTS[event].channels.includes('sms'))
  expect(bySms).toEqual([...TEMPLATE_KEYS])
  for (const event of USER_EVENTS) expect(EVENTS[event].channels).toEqual(expect.arrayContaining(['message', 'mail']))
})
