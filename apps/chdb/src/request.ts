import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Statement } from './engine.ts'
import { storeException } from './exception.ts'

/** Parameters of the HTTP interface itself, and settings that only its server knows. */
const notSettings = new Set([
  'query',
  'database',
  'query_id',
  'session_id',
  'session_timeout',
  'session_check',
  'user',
  'password',
  'role',
  'default_format',
  'compress',
  'decompress',
  'stacktrace',
  'quota_key',
  'buffer_size',
  'wait_end_of_query',
  'enable_http_compression',
  'http_zlib_compression_level',
  'http_headers_progress_interval_ms',
  'http_response_buffer_size',
  'http_write_exception_in_output_format',
  'send_progress_in_http_headers',
  'cancel_http_readonly_queries_on_client_close',
])

export interface Credentials {
  user: string
  key: string
}

/** Checks the caller's name and key in any of the three places that ClickHouse looks; throws StoreException. */
export function authorize(request: IncomingMessage, url: URL, expected: Credentials): void {
  const given = credentialsOf(request, url)
  if (!given) throw storeException(194, 'REQUIRED_PASSWORD', 'Name and key are required')
  // Both are compared always: the answer's time tells nothing about which was wrong.
  const right = [same(given.user, expected.user), same(given.key, expected.key)]
  if (right.includes(false)) throw storeException(516, 'AUTHENTICATION_FAILED', 'Authentication failed')
}

function credentialsOf(request: IncomingMessage, url: URL): Credentials | undefined {
  const user = request.headers['x-clickhouse-user'] ?? url.searchParams.get('user')
  const key = request.headers['x-clickhouse-key'] ?? url.searchParams.get('password')
  if (typeof user === 'string' && typeof key === 'string') return { user, key }
  const basic = /^Basic ([A-Za-z0-9+/=]+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (!basic) return undefined
  const [, name = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString('utf8')) ?? []
  return { user: name, key: secret }
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Everything of a statement that stands in the address; the query text may still be in the body. */
export function statementOf(url: URL): Statement {
  const settings = new Map<string, string>()
  const params: Record<string, string> = {}
  for (const [name, value] of url.searchParams) {
    if (name.startsWith('param_')) params[name.slice('param_'.length)] = value
    else if (!notSettings.has(name)) settings.set(checkedName(name), value)
  }
  return {
    sql: url.searchParams.get('query') ?? '',
    format: checkedName(url.searchParams.get('default_format') ?? 'TabSeparated'),
    database: url.searchParams.get('database') ?? 'default',
    settings,
    params,
  }
}

function checkedName(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw storeException(115, 'UNKNOWN_SETTING', `Bad name: ${name}`)
  return name
}

/** The name behind the last FORMAT of a statement, or undefined. */
export function formatOf(sql: string): string | undefined {
  return /\bFORMAT\s+([A-Za-z0-9_]+)\s*;?\s*$/i.exec(sql)?.[1]
}

/** Whether rows for this statement come in the body. */
export function takesRows(sql: string): boolean {
  return /^\s*INSERT\s/i.test(sql) && formatOf(sql) !== undefined
}

/** GET may only read, as in ClickHouse. */
export function onlyReads(sql: string): boolean {
  return /^\s*\(?\s*(SELECT|WITH|SHOW|DESC|DESCRIBE|EXPLAIN|EXISTS)\b/i.test(sql)
}
