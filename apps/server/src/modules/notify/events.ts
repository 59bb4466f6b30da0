/** Every event: its variables, the channels it takes by default, and the built-in texts in both languages. */
import type { NotifyEvent } from '@tidegate/contract/config/notify'
import { type EventDefinition, time, type Variable, v } from './event-parts.ts'
import { ACCOUNT_EVENTS } from './events-account.ts'
import { CUSTOMER_EVENTS } from './events-customer.ts'
import { STAFF_EVENTS } from './events-staff.ts'

/** Known in every text: the installation's name. */
export const COMMON: readonly Variable[] = [v('site', '网站名称', 'Name of the website', 'Tidegate')]

export const EVENTS: Readonly<Record<NotifyEvent, EventDefinition>> = {
  ...ACCOUNT_EVENTS,
  ...CUSTOMER_EVENTS,
  ...STAFF_EVENTS,
  test: {
    title: { zh: '测试', en: 'Test' },
    variables: [time],
    channels: [],
    texts: {
      zh: { subject: '{site} 测试通知', body: '这是一条测试通知，发送于 {time}。收到即表示设置正确。' },
      en: {
        subject: '{site} test notice',
        body: 'This is a test notice, sent at {time}. If you can read it, the settings are right.',
      },
    },
  },
}

/** Variables that a text of the event may use. */
export const variablesOf = (event: NotifyEvent): readonly Variable[] => [...EVENTS[event].variables, ...COMMON]
