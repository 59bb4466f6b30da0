/** `admin doctor`: looks at what an installation stands on, says in words what is wrong, and ends with 1 when something is. */
import { parseArgs } from 'node:util'
import { CLOCK_SKEW_WARN_MS, NODE_OFFLINE_AFTER } from '@tidegate/contract/limits'
import type { Context } from './context.ts'
import { DOCTOR_TEXTS, type DoctorKey } from './doctor-texts.ts'
import type { Command, Part } from './platform/part.ts'

interface Finding {
  bad: boolean
  key: DoctorKey
  params?: Record<string, string | number>
}

type Look = (context: Context) => Promise<Finding[]>

const lookAtDatabase: Look = async ({ database }) => {
  const started = performance.now()
  const { rows } = await database.pool.query<{ version: string; skew: number }>(
    `SELECT current_setting('server_version') AS version, extract(epoch FROM clock_timestamp()) * 1000 AS skew`,
  )
  const ms = Math.round(performance.now() - started)
  const skew = Math.abs(Number(rows[0]?.skew) - Date.now())
  const clock: Finding =
    skew > CLOCK_SKEW_WARN_MS
      ? { bad: true, key: 'clock_off', params: { ms: Math.round(skew) } }
      : { bad: false, key: 'clock_ok' }
  return [{ bad: false, key: 'database_ok', params: { version: rows[0]?.version ?? '', ms } }, clock]
}

const lookAtMigrations =
  (pending: (context: Context) => Promise<string | null>): Look =>
  async (context) => {
    const text = await pending(context)
    return [text === null ? { bad: false, key: 'schema_ok' } : { bad: true, key: 'schema_wrong', params: { text } }]
  }

const lookAtDisk: Look = async ({ disk }) => {
  const { total, free, short, low } = disk.state()
  const gib = (bytes: number) => (bytes / 1024 ** 3).toFixed(1)
  const key = low ? 'disk_low' : short ? 'disk_short' : 'disk_ok'
  return [{ bad: short || low, key, params: { free: gib(free), total: gib(total) } }]
}

interface NodeRow {
  name: string
  seconds: number | null
  skew: number
}

const lookAtNodes: Look = async ({ database }) => {
  const { rows } = await database.pool.query<NodeRow>(`
    SELECT name, extract(epoch FROM now() - last_seen)::float8 AS seconds, clock_skew AS skew
    FROM node WHERE revoked_at IS NULL AND enrolled_at IS NOT NULL ORDER BY name`)
  if (rows.length === 0) return [{ bad: false, key: 'nodes_none' }]
  const away = rows.filter((row) => row.seconds === null || row.seconds > NODE_OFFLINE_AFTER)
  const skewed = rows.filter((row) => Math.abs(row.skew) > CLOCK_SKEW_WARN_MS)
  return [
    { bad: false, key: 'nodes_count', params: { online: rows.length - away.length, total: rows.length } },
    ...away.map(({ name }): Finding => ({ bad: true, key: 'node_offline', params: { name } })),
    ...skewed.map(({ name, skew }): Finding => ({ bad: true, key: 'node_clock', params: { name, ms: skew } })),
  ]
}

const lookAtAnalytics: Look = async ({ env }) => {
  if (!env.CLICKHOUSE_URL) return [{ bad: true, key: 'analytics_none' }]
  const url = new URL(env.CLICKHOUSE_URL)
  const headers: Record<string, string> = {}
  if (url.username) headers['X-ClickHouse-User'] = decodeURIComponent(url.username)
  if (url.password) headers['X-ClickHouse-Key'] = decodeURIComponent(url.password)
  const target = new URL('/?query=SELECT%201', url.origin)
  const response = await fetch(target, { headers, signal: AbortSignal.timeout(5_000) })
  await response.arrayBuffer()
  return [
    response.ok
      ? { bad: false, key: 'analytics_ok' }
      : { bad: true, key: 'analytics_down', params: { text: response.status } },
  ]
}

type Lang = keyof (typeof DOCTOR_TEXTS)[DoctorKey]
const say = (lang: Lang, { bad, key, params = {} }: Finding) => {
  const text = DOCTOR_TEXTS[key][lang].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))
  return `${bad ? 'BAD' : 'ok '}  ${text}`
}

const runLook = async (name: string, look: Look, context: Context): Promise<Finding[]> => {
  try {
    return await look(context)
  } catch (error) {
    return [
      { bad: true, key: 'failed', params: { name, text: error instanceof Error ? error.message : String(error) } },
    ]
  }
}

/** `pending`: what differs between the database's schema and this release's. */
export const doctorCommand =
  (context: Context, pending: (context: Context) => Promise<string | null>): Command =>
  async (args, print) => {
    const { values } = parseArgs({ args: [...args], options: { lang: { type: 'string', default: 'en' } } })
    const looks: [string, Look][] = [
      ['database', lookAtDatabase],
      ['schema', lookAtMigrations(pending)],
      ['disk', lookAtDisk],
      ['nodes', lookAtNodes],
      ['analytics', lookAtAnalytics],
    ]
    const findings: Finding[] = []
    for (const [name, look] of looks) findings.push(...(await runLook(name, look, context)))
    for (const finding of findings) print(say(values.lang === 'zh' ? 'zh' : 'en', finding))
    return findings.some((finding) => finding.bad) ? 1 : 0
  }

export const doctorPart = (context: Context, pending: (context: Context) => Promise<string | null>): Part => ({
  name: 'doctor',
  commands: { 'admin doctor': doctorCommand(context, pending) },
})
