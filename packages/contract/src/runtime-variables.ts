/**
 * Runtime variables: what an operator may change while the product runs. Each names what it changes, where, and its bounds; the server and
 * the console check a value by the same rules.
 */
import type { FieldErrorKey } from './errors.ts'
import { EXPORT_MAX_ROWS } from './limits.ts'
import { NODE_TUNABLES, type NodeTunable } from './node/tunables.ts'

/** Control plane: holds at once in all its processes. Nodes: travels with the configuration of every service group. */
export const VARIABLE_SCOPES = ['control', 'nodes'] as const
export type VariableScope = (typeof VARIABLE_SCOPES)[number]
export const VARIABLE_UNITS = ['', 's', 'MiB', '%', 'rows'] as const
export type VariableUnit = (typeof VARIABLE_UNITS)[number]
export type VariableValue = string | number | boolean

interface Words {
  zh: string
  en: string
}
type Kind =
  | { type: 'number'; min: number; max: number; unit: VariableUnit; default: number }
  | { type: 'boolean'; default: boolean }
  | { type: 'choice'; choices: readonly string[]; default: string }
  | { type: 'url'; default: string }
export type VariableKind = Kind & { scope: VariableScope; title: Words; about: Words }

const words = (zh: string, en: string): Words => ({ zh, en })
const node = (tunable: NodeTunable, unit: VariableUnit, title: Words, about: Words) =>
  ({ type: 'number', scope: 'nodes', ...NODE_TUNABLES[tunable], unit, title, about }) as const

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

export const VARIABLES = {
  'control.publicUrl': {
    ...{ type: 'url', scope: 'control', default: '' },
    title: words('本站公开地址', 'Own public address'),
    about: words(
      '邮件链接、外部登录回跳和通行密钥使用的地址，留空则按访问地址。更换域名后，原有的通行密钥不再可用',
      'In links of mails, for the way back from outside logins and for passkeys; empty: the address that was visited. Passkeys of another domain are no longer good.',
    ),
  },
  'control.customersReadOnly': {
    ...{ type: 'boolean', scope: 'control', default: false },
    title: words('用户端只读', 'Customers may only look'),
    about: words(
      '维护期间用户可以登录和查看，但不能更改任何内容，也不能注册；管理员不受影响',
      'While it is on, customers can log in and look but change nothing and not register. Administrators are not affected.',
    ),
  },
  'control.logLevel': {
    ...{ type: 'choice', scope: 'control', choices: LOG_LEVELS, default: 'info' },
    title: words('日志级别', 'Log level'),
    about: words('控制面日志写到多细', 'How much the control plane writes into its log.'),
  },
  'control.exportMaxRows': {
    ...{ type: 'number', scope: 'control', default: EXPORT_MAX_ROWS, min: 100, max: 1_000_000, unit: 'rows' },
    title: words('导出行数上限', 'Rows of an export'),
    about: words('一次导出最多写多少行', 'How many rows one export writes at most.'),
  },
  'control.pollSeconds': {
    ...{ type: 'number', scope: 'control', default: 5, min: 2, max: 300, unit: 's' },
    title: words('控制台轮询间隔', 'Polling of the consoles'),
    about: words(
      '工单和推送计数多久更新一次；已打开的控制台在重新进入后生效',
      'How often work orders and the count of pushes are asked for; a console that is open takes it when it is opened anew.',
    ),
  },
  'control.answerSeconds': {
    ...{ type: 'number', scope: 'control', default: 10, min: 2, max: 60, unit: 's' },
    title: words('等待节点答复', "Wait for a node's answer"),
    about: words(
      '查看节点内存与使用查询工具时最多等待多久',
      'How long a node may take to answer a look into its memory, or a lookup.',
    ),
  },
  'node.keepaliveSeconds': node(
    'keepaliveSeconds',
    's',
    words('访客空闲连接', 'Idle connections of visitors'),
    words('访客的空闲连接保持多久', "How long a visitor's idle connection stays open."),
  ),
  'node.originIdleSeconds': node(
    'originIdleSeconds',
    's',
    words('源站空闲连接', 'Idle connections to origins'),
    words(
      '到源站的空闲 HTTP 连接保留多久以供复用',
      'How long an idle http connection to an origin is kept for the next request.',
    ),
  ),
  'node.originRestSeconds': node(
    'originRestSeconds',
    's',
    words('故障源站跳过时间', 'Rest of a failed origin'),
    words('源站失败后多久之内优先使用其他源站', 'How long other origins go before one that failed.'),
  ),
  'node.maxBodyMb': node(
    'maxBodyMb',
    'MiB',
    words('请求体上限', "Size of a request's body"),
    words('超过此大小的上传以 413 拒绝', 'A larger upload is refused with 413.'),
  ),
  'node.gzipLevel': node(
    'gzipLevel',
    '',
    words('压缩级别', 'Compression level'),
    words(
      '1 最快，9 最小；只影响之后从源站取回的内容',
      '1 is fastest, 9 smallest; for what is fetched from origins from then on.',
    ),
  ),
  'node.logPercent': node(
    'logPercent',
    '%',
    words('访问日志采样', 'Sampling of the access log'),
    words(
      '保留多少比例的日志明细；流量与请求计数始终完整',
      'For how many of 100 requests the line is kept. Counters of requests and traffic stay whole.',
    ),
  ),
} as const satisfies Record<string, VariableKind>
export type VariableKey = keyof typeof VARIABLES

type ValueOf<K extends VariableKind> = K extends { type: 'number' }
  ? number
  : K extends { type: 'boolean' }
    ? boolean
    : string
/** The values of all variables. */
export type Variables = { [K in VariableKey]: ValueOf<(typeof VARIABLES)[K]> }

export const VARIABLE_KEYS = Object.keys(VARIABLES) as [VariableKey, ...VariableKey[]]
export const variableKind = (key: VariableKey): VariableKind => VARIABLES[key]

/** The name under which nodes know a variable; null: it is the control plane's. */
export const tunableOf = (key: VariableKey): NodeTunable | null =>
  VARIABLES[key].scope === 'nodes' ? (key.slice('node.'.length) as NodeTunable) : null

export interface ValueFault {
  key: FieldErrorKey
  params?: Record<string, string | number>
}

const numberFault = (value: unknown, { min, max }: { min: number; max: number }): ValueFault | null => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return { key: 'invalid' }
  if (value < min) return { key: 'too_small', params: { min } }
  return value > max ? { key: 'too_big', params: { max } } : null
}

const urlFault = (value: unknown): ValueFault | null => {
  if (typeof value !== 'string') return { key: 'invalid' }
  if (value === '') return null
  if (!/^https?:\/\/[^\s/?#@]+\/?$/.test(value) || !URL.canParse(value)) return { key: 'web_origin' }
  return value.length > 255 ? { key: 'too_long', params: { max: 255 } } : null
}

/** What is wrong with a value; null: nothing. */
export const valueFault = (kind: VariableKind, value: unknown): ValueFault | null => {
  switch (kind.type) {
    case 'number':
      return numberFault(value, kind)
    case 'boolean':
      return typeof value === 'boolean' ? null : { key: 'invalid' }
    case 'choice':
      return typeof value === 'string' && kind.choices.includes(value)
        ? null
        : { key: 'not_one_of', params: { values: kind.choices.join(', ') } }
    case 'url':
      return urlFault(value)
  }
}
