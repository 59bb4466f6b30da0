/** What customers are told of what they have: plans, packages, certificates, work orders. */
import type { NotifyEvent } from '@tidegate/contract/config/notify'
import {
  CUSTOMER,
  certificate,
  date,
  days,
  type EventDefinition,
  failure,
  flow,
  list,
  NO_SMS,
  name,
  next,
  order,
  plan,
  title,
  url,
} from './event-parts.ts'

export const CUSTOMER_EVENTS = {
  meal_out: {
    title: { zh: '套餐用尽', en: 'Plan used up' },
    variables: [name, plan, date],
    channels: CUSTOMER,
    texts: {
      zh: {
        subject: '套餐 {plan} 已用尽',
        body: '{name}，您好：\n\n您的套餐 {plan} 已于 {date} 用尽，请及时续费或升级。',
      },
      en: {
        subject: 'Plan {plan} is used up',
        body: 'Hello {name},\n\nyour plan {plan} was used up on {date}. Please renew or upgrade it.',
      },
    },
  },
  meal_expire: {
    title: { zh: '套餐到期', en: 'Plan expires' },
    variables: [name, plan, date, days],
    channels: CUSTOMER,
    texts: {
      zh: {
        subject: '套餐 {plan} 将于 {date} 到期',
        body: '{name}，您好：\n\n您的套餐 {plan} 将于 {date} 到期，剩余 {days} 天，请及时续费。',
      },
      en: {
        subject: 'Plan {plan} expires on {date}',
        body: 'Hello {name},\n\nyour plan {plan} expires on {date}, in {days} days. Please renew it in time.',
      },
    },
  },
  flow_out: {
    title: { zh: '流量包用尽', en: 'Traffic package used up' },
    variables: [name, flow, date],
    channels: CUSTOMER,
    texts: {
      zh: {
        subject: '流量包 {flow} 已用尽',
        body: '{name}，您好：\n\n您的流量包 {flow} 已于 {date} 用尽，请及时购买。',
      },
      en: {
        subject: 'Traffic package {flow} is used up',
        body: 'Hello {name},\n\nyour traffic package {flow} was used up on {date}. Please buy another one.',
      },
    },
  },
  flow_expire: {
    title: { zh: '流量包到期', en: 'Traffic package expires' },
    variables: [name, flow, date, days],
    channels: CUSTOMER,
    texts: {
      zh: {
        subject: '流量包 {flow} 将于 {date} 到期',
        body: '{name}，您好：\n\n您的流量包 {flow} 将于 {date} 到期，剩余 {days} 天。',
      },
      en: {
        subject: 'Traffic package {flow} expires on {date}',
        body: 'Hello {name},\n\nyour traffic package {flow} expires on {date}, in {days} days.',
      },
    },
  },
  cert_expire: {
    title: { zh: '证书即将到期', en: 'Certificate expires' },
    variables: [name, certificate, date, days, list, url],
    channels: NO_SMS,
    texts: {
      zh: {
        subject: '证书 {certificate} 将于 {date} 到期',
        body: '{name}，您好：\n\n您网站使用的证书即将到期，最近一张还剩 {days} 天：{list}。\n\n请在到期前上传新证书，否则访问者将看到安全警告。\n\n{url}',
      },
      en: {
        subject: 'Certificate {certificate} expires on {date}',
        body: 'Hello {name},\n\ncertificates of your sites end soon (days left for the first: {days}): {list}.\n\nPlease upload a new one in time, or visitors will see a security warning.\n\n{url}',
      },
    },
  },
  cert_expired: {
    title: { zh: '证书已过期', en: 'Certificate has expired' },
    variables: [name, certificate, date, list, url],
    channels: NO_SMS,
    texts: {
      zh: {
        subject: '证书 {certificate} 已于 {date} 过期',
        body: '{name}，您好：\n\n您网站使用的证书已过期：{list}。\n\n访问者现在会看到安全警告，请立即上传新证书。\n\n{url}',
      },
      en: {
        subject: 'Certificate {certificate} expired on {date}',
        body: 'Hello {name},\n\ncertificates of your sites have expired: {list}.\n\nVisitors see a security warning now. Please upload a new one at once.\n\n{url}',
      },
    },
  },
  cert_failed: {
    title: { zh: '证书续期失败', en: 'Certificate renewal failed' },
    variables: [name, certificate, date, failure, next, url],
    channels: NO_SMS,
    texts: {
      zh: {
        subject: '证书 {certificate} 续期失败',
        body: '{name}，您好：\n\n证书 {certificate} 续期失败：{reason}\n\n现有证书在 {date} 到期前继续使用，最早于 {next} 再次尝试。\n\n{url}',
      },
      en: {
        subject: 'The renewal of certificate {certificate} failed',
        body: 'Hello {name},\n\ncertificate {certificate} could not be renewed: {reason}\n\nThe present one is used until it ends on {date}. The next try is not before {next}.\n\n{url}',
      },
    },
  },
  work_order_reply: {
    title: { zh: '工单回复', en: 'Reply to a work order' },
    variables: [name, order, title],
    channels: NO_SMS,
    texts: {
      zh: {
        subject: '工单 #{id} 有新回复',
        body: '{name}，您好：\n\n您的工单 #{id}《{title}》有新回复，请登录控制台查看。',
      },
      en: {
        subject: 'New reply to work order #{id}',
        body: 'Hello {name},\n\nthere is a new reply to your work order #{id}, "{title}". Log in to the console to read it.',
      },
    },
  },
} satisfies Partial<Record<NotifyEvent, EventDefinition>>
