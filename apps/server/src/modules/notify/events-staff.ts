/** What the staff is told. */
import type { NotifyEvent } from '@tidegate/contract/config/notify'
import {
  certificate,
  customer,
  date,
  type EventDefinition,
  failure,
  list,
  next,
  order,
  STAFF,
  time,
  title,
  url,
  v,
} from './event-parts.ts'

export const STAFF_EVENTS = {
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
        body: 'The reconciliation of {from} to {to} found differences: {open} open, {repaired} repaired, {missing} raw lines missing.\n\nSee the last run of "Usage reconciliation" in the task log.',
      },
    },
  },
} satisfies Partial<Record<NotifyEvent, EventDefinition>>
