/** What events are made of: their shape, the variables that several of them know, and whom they reach by which channel. */
import type { NotifyChannel } from '@tidegate/contract/config/notify'
import type { Lang } from '@tidegate/contract/enums'

type Words = Readonly<Record<Lang, string>>

export interface Variable {
  name: string
  title: Words
  sample: string
  /** Never stored in the clear and never shown in the log. */
  secret?: true
}

export interface EventDefinition {
  title: Words
  variables: readonly Variable[]
  /** Channels by which a customer or the staff is told, where an address is known. */
  channels: readonly NotifyChannel[]
  /** Plain text; `{name}` stands for a variable. */
  texts: Readonly<Record<Lang, { subject: string; body: string }>>
}

export const v = (name: string, zh: string, en: string, sample: string): Variable => ({
  name,
  title: { zh, en },
  sample,
})

export const name = v('name', '账号', 'Account', 'alice')
export const plan = v('plan', '套餐', 'Plan', 'CDN Pro')
export const flow = v('flow', '流量包', 'Traffic package', '100 GB')
export const date = v('date', '日期', 'Date', '2026-12-31')
export const days = v('days', '剩余天数', 'Days left', '7')
export const time = v('time', '时间', 'Time', '2026-11-21 10:00')
export const order = v('id', '工单编号', 'Number', '1024')
export const title = v('title', '工单标题', 'Title', 'How do I add a domain?')
export const customer = v('customer', '客户', 'Customer', 'alice')
export const certificate = v('certificate', '证书', 'Certificate', 'a.example')
export const failure = v('reason', '原因', 'Reason', 'connection refused')
export const next = v('next', '下次尝试', 'Next try', '2026-11-21 16:00')
export const list = v('list', '证书列表', 'List of the certificates', 'a.example (2026-12-31)')
export const url = v('url', '控制台网址', 'Web address in the console', 'https://cdn.example.com/#/cdn/site/list')
export const nickname = v('nickname', '微信昵称', 'Nickname at WeChat', 'Alice')
export const before = v('before', '原微信昵称', 'Nickname before', 'Bob')
export const ip = v('ip', 'IP 地址', 'IP address', '203.0.113.9')
export const agent = v('agent', '浏览器', 'Browser', 'Firefox')

export const CUSTOMER = ['message', 'mail', 'sms', 'telegram', 'webhook'] as const
export const NO_SMS = ['message', 'mail', 'telegram', 'webhook'] as const
/** About the account itself: they cannot be switched off. */
export const ACCOUNT = ['message', 'mail'] as const
/** The staff has no mailbox here. */
export const STAFF = ['mail', 'telegram', 'webhook'] as const
