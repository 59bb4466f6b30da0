/** Every event: its variables, the channels it takes by default, and the built-in texts in both languages. */
import type { NotifyChannel, NotifyEvent } from '@tidegate/contract/config/notify'
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

const v = (name: string, zh: string, en: string, sample: string): Variable => ({ name, title: { zh, en }, sample })

/** Known in every text: the installation's name. */
export const COMMON: readonly Variable[] = [v('site', '网站名称', 'Name of the website', 'Tidegate')]

const name = v('name', '账号', 'Account', 'alice')
const plan = v('plan', '套餐', 'Plan', 'CDN Pro')
const flow = v('flow', '流量包', 'Traffic package', '100 GB')
const date = v('date', '日期', 'Date', '2026-12-31')
const days = v('days', '剩余天数', 'Days left', '7')
const time = v('time', '时间', 'Time', '2026-11-21 10:00')
const order = v('id', '工单编号', 'Number', '1024')
const title = v('title', '工单标题', 'Title', 'How do I add a domain?')
const customer = v('customer', '客户', 'Customer', 'alice')
const certificate = v('certificate', '证书', 'Certificate', 'a.example')
const failure = v('reason', '原因', 'Reason', 'connection refused')
const next = v('next', '下次尝试', 'Next try', '2026-11-21 16:00')
const list = v('list', '证书列表', 'List of the certificates', 'a.example (2026-12-31)')
const url = v('url', '控制台网址', 'Web address in the console', 'https://cdn.example.com/#/cdn/site/list')
const nickname = v('nickname', '微信昵称', 'Nickname at WeChat', 'Alice')
const before = v('before', '原微信昵称', 'Nickname before', 'Bob')
const ip = v('ip', 'IP 地址', 'IP address', '203.0.113.9')
const agent = v('agent', '浏览器', 'Browser', 'Firefox')
const CUSTOMER = ['message', 'mail', 'sms', 'telegram', 'webhook'] as const
const NO_SMS = ['message', 'mail', 'telegram', 'webhook'] as const
/** About the account itself: they cannot be switched off. */
const ACCOUNT = ['message', 'mail'] as const
/** The staff has no mailbox here. */
const STAFF = ['mail', 'telegram', 'webhook'] as const

export const EVENTS: Readonly<Record<NotifyEvent, EventDefinition>> = {
  code: {
    title: { zh: '验证码', en: 'Verification code' },
    variables: [
      { ...v('code', '验证码', 'Code', '123456'), secret: true },
      v('minutes', '有效分钟数', 'Minutes it is valid', '5'),
    ],
    channels: ['mail', 'sms'],
    texts: {
      zh: {
        subject: '{site} 验证码',
        body: '您的验证码是 {code}，{minutes} 分钟内有效。\n\n请勿将验证码告诉他人。如非本人操作，请忽略本邮件。',
      },
      en: {
        subject: '{site} verification code',
        body: 'Your verification code is {code}. It is valid for {minutes} minutes.\n\nDo not give it to anyone. If you did not ask for it, ignore this message.',
      },
    },
  },
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
  login_new: {
    title: { zh: '新登录', en: 'New login' },
    variables: [name, time, ip, agent],
    channels: NO_SMS,
    texts: {
      zh: {
        subject: '{site} 账号在新的地址登录',
        body: '{name}，您好：\n\n您的账号于 {time} 从 {ip} 登录（{agent}）。如非本人操作，请立即修改密码。',
      },
      en: {
        subject: 'New login to your {site} account',
        body: 'Hello {name},\n\nyour account was logged in to at {time} from {ip} ({agent}). If it was not you, change your password at once.',
      },
    },
  },
  password_changed: {
    title: { zh: '修改密码', en: 'Password changed' },
    variables: [name, time, ip, agent],
    channels: ACCOUNT,
    texts: {
      zh: {
        subject: '{site} 账号的密码已修改',
        body: '{name}，您好：\n\n您账号的密码已于 {time} 修改，操作来自 {ip}（{agent}），所有登录均已结束。如非本人操作，请立即找回密码或联系我们。',
      },
      en: {
        subject: 'The password of your {site} account was changed',
        body: 'Hello {name},\n\nthe password of your account was changed at {time} from {ip} ({agent}), and all logins have ended. If it was not you, reset the password at once or contact us.',
      },
    },
  },
  factor_added: {
    title: { zh: '启用两步验证', en: 'Second factor added' },
    variables: [name, time, ip, agent],
    channels: ACCOUNT,
    texts: {
      zh: {
        subject: '{site} 账号新增了两步验证方式',
        body: '{name}，您好：\n\n您的账号于 {time} 新增了一种两步验证方式，操作来自 {ip}（{agent}）。如非本人操作，请立即移除并修改密码。',
      },
      en: {
        subject: 'A second factor was added to your {site} account',
        body: 'Hello {name},\n\na second factor was added to your account at {time} from {ip} ({agent}). If it was not you, remove it and change your password at once.',
      },
    },
  },
  factor_removed: {
    title: { zh: '移除两步验证', en: 'Second factor removed' },
    variables: [name, time, ip, agent],
    channels: ACCOUNT,
    texts: {
      zh: {
        subject: '{site} 账号移除了两步验证方式',
        body: '{name}，您好：\n\n您的账号于 {time} 移除了一种两步验证方式，操作来自 {ip}（{agent}）。如非本人操作，请立即修改密码。',
      },
      en: {
        subject: 'A second factor was removed from your {site} account',
        body: 'Hello {name},\n\na second factor was removed from your account at {time} from {ip} ({agent}). If it was not you, change your password at once.',
      },
    },
  },
  wechat_linked: {
    title: { zh: '绑定微信', en: 'WeChat account linked' },
    variables: [name, time, ip, nickname],
    channels: ACCOUNT,
    texts: {
      zh: {
        subject: '{site} 账号已绑定微信',
        body: '{name}，您好：\n\n您的账号于 {time} 绑定了微信（{nickname}），操作来自 {ip}。该微信现在可以登录您的账号。如非本人操作，请立即解除绑定并修改密码。',
      },
      en: {
        subject: 'A WeChat account was linked to your {site} account',
        body: 'Hello {name},\n\nthe WeChat account "{nickname}" was linked to your account at {time} from {ip} and can log in to it now. If it was not you, unlink it and change your password at once.',
      },
    },
  },
  wechat_replaced: {
    title: { zh: '更换微信', en: 'WeChat account replaced' },
    variables: [name, time, ip, nickname, before],
    channels: ACCOUNT,
    texts: {
      zh: {
        subject: '{site} 账号已更换绑定的微信',
        body: '{name}，您好：\n\n您的账号绑定的微信已于 {time} 由（{before}）更换为（{nickname}），操作来自 {ip}。现在可以登录您账号的是新的微信，原微信不再可以。如非本人操作，请立即解除绑定并修改密码。',
      },
      en: {
        subject: 'The WeChat account of your {site} account was replaced',
        body: 'Hello {name},\n\nthe WeChat account "{before}", which could log in to your account, was replaced by "{nickname}" at {time} from {ip}. If it was not you, unlink it and change your password at once.',
      },
    },
  },
  wechat_unlinked: {
    title: { zh: '解除微信绑定', en: 'WeChat account unlinked' },
    variables: [name, time, nickname],
    channels: ACCOUNT,
    texts: {
      zh: {
        subject: '{site} 账号已解除微信绑定',
        body: '{name}，您好：\n\n您的账号于 {time} 解除了与微信（{nickname}）的绑定，该微信不能再登录您的账号。如非本人要求，请联系我们。',
      },
      en: {
        subject: 'A WeChat account was unlinked from your {site} account',
        body: 'Hello {name},\n\nthe WeChat account "{nickname}" was unlinked from your account at {time} and can no longer log in to it. If you did not want this, please contact us.',
      },
    },
  },
  account_disabled: {
    title: { zh: '账号停用', en: 'Account disabled' },
    variables: [name, time],
    channels: ['mail'],
    texts: {
      zh: { subject: '{site} 账号已停用', body: '{name}，您好：\n\n您的账号已于 {time} 停用。如有疑问，请联系我们。' },
      en: {
        subject: 'Your {site} account was disabled',
        body: 'Hello {name},\n\nyour account was disabled at {time}. Please contact us if you have questions.',
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
  work_order_new: {
    title: { zh: '新工单', en: 'New work order' },
    variables: [customer, order, title],
    channels: STAFF,
    texts: {
      zh: { subject: '新工单 #{id}：{title}', body: '客户 {customer} 提交了工单 #{id}《{title}》，请登录后台处理。' },
      en: {
        subject: 'New work order #{id}: {title}',
        body: '{customer} opened work order #{id}, "{title}". Log in to the console to answer it.',
      },
    },
  },
  work_order_appeal: {
    title: { zh: '工单申诉', en: 'Appeal of a work order' },
    variables: [customer, order, title, v('reason', '原因', 'Reason', 'still not solved')],
    channels: STAFF,
    texts: {
      zh: {
        subject: '工单 #{id} 被申诉',
        body: '客户 {customer} 对工单 #{id}《{title}》提出申诉：{reason}\n\n请登录后台处理。',
      },
      en: {
        subject: 'Appeal of work order #{id}',
        body: '{customer} appealed work order #{id}, "{title}": {reason}\n\nLog in to the console to answer it.',
      },
    },
  },
  cert_report: {
    title: { zh: '证书到期汇总', en: 'Certificates that expire' },
    variables: [v('count', '证书数', 'Number of certificates', '3'), list, url],
    channels: STAFF,
    texts: {
      zh: {
        subject: '{count} 张使用中的证书即将到期或已过期',
        body: '以下使用中的证书即将到期或已过期：{list}\n\n{url}',
      },
      en: {
        subject: 'Certificates in use that end soon or have ended: {count}',
        body: 'These certificates are in use and end soon or have ended: {list}\n\n{url}',
      },
    },
  },
  cert_failed_report: {
    title: { zh: '证书续期失败（管理员）', en: 'Certificate renewal failed (staff)' },
    variables: [certificate, date, failure, next, url],
    channels: STAFF,
    texts: {
      zh: {
        subject: '证书 {certificate} 续期失败',
        body: '证书 {certificate} 续期失败：{reason}\n\n现有证书于 {date} 到期，最早于 {next} 再次尝试。\n\n{url}',
      },
      en: {
        subject: 'The renewal of certificate {certificate} failed',
        body: 'Certificate {certificate} could not be renewed: {reason}\n\nThe present one ends on {date}; the next try is not before {next}.\n\n{url}',
      },
    },
  },
  node_down: {
    title: { zh: '节点异常', en: 'Node down' },
    variables: [
      v('node', '节点', 'Node', 'edge-1'),
      v('reason', '检测结果', 'Checks', '100% (2/3: edge-2, tokyo)'),
      time,
    ],
    channels: STAFF,
    texts: {
      zh: { subject: '节点 {node} 异常', body: '节点 {node} 于 {time} 检测异常，失败率 {reason}' },
      en: { subject: 'Node {node} is down', body: 'Node {node} fails its checks since {time}. Failing: {reason}' },
    },
  },
  node_back: {
    title: { zh: '节点恢复', en: 'Node is back' },
    variables: [v('node', '节点', 'Node', 'edge-1'), v('reason', '检测结果', 'Checks', '0% (0/3: edge-2)'), time],
    channels: STAFF,
    texts: {
      zh: { subject: '节点 {node} 已恢复', body: '节点 {node} 于 {time} 恢复正常，失败率 {reason}' },
      en: {
        subject: 'Node {node} is back',
        body: 'Node {node} passes its checks again since {time}. Failing: {reason}',
      },
    },
  },
  task_failed: {
    title: { zh: '任务失败', en: 'Task failed' },
    variables: [v('task', '任务', 'Task', 'backup'), v('reason', '原因', 'Reason', 'the disk is full'), time],
    channels: STAFF,
    texts: {
      zh: { subject: '任务 {task} 失败', body: '任务 {task} 于 {time} 失败：{reason}' },
      en: { subject: 'Task {task} failed', body: 'Task {task} failed at {time}: {reason}' },
    },
  },
  figures_differ: {
    title: { zh: '用量数据不一致', en: 'Usage figures differ' },
    variables: [
      v('open', '待处理的差异数', 'Differences that are open', '3'),
      v('repaired', '已修复的差异数', 'Differences that were repaired', '1'),
      v('missing', '缺少的原始日志行数', 'Raw lines that are missing', '1200'),
      v('from', '开始日期', 'First day', '2026-11-19'),
      v('to', '结束日期', 'Last day', '2026-11-21'),
    ],
    channels: STAFF,
    texts: {
      zh: {
        subject: '用量对账发现差异：待处理 {open} 处',
        body: '{from} 至 {to} 的用量对账发现差异：待处理 {open} 处，已修复 {repaired} 处，缺少原始日志 {missing} 行。\n\n明细见“计划任务 > 任务日志”中“用量对账”最近一次的记录。',
      },
      en: {
        subject: 'Usage figures differ: {open} open',
        body: 'The reconciliation of {from} to {to} found differences: {open} open, {repaired} repaired, {missing} raw lines missing.\n\nSee the last run of “Usage reconciliation” in the task log.',
      },
    },
  },
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
