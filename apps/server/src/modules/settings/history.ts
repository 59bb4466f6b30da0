/** Versions of a config record, each with what it changed; secrets never leave, only that they changed. */
import { SECRET_MASK } from '@tidegate/contract/config/record'
import type { ConfigVersion } from '@tidegate/contract/operations/config'
import { and, count, desc, eq } from 'drizzle-orm'
import type { Queryable } from '../../platform/db.ts'
import { page } from '../../platform/page.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { type ConfigRecord, secretsOfRecord } from './records.ts'
import { settingHistory } from './schema.ts'
import { openValue } from './secret-paths.ts'

type Row = typeof settingHistory.$inferSelect
type Change = ConfigVersion['changes'][number]

const isBranch = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

/** Every leaf by its dotted path; empty objects and lists are leaves. */
const leaves = (value: unknown, path = '', into = new Map<string, string>()): Map<string, string> => {
  if (!isBranch(value)) return into.set(path, typeof value === 'string' ? value : JSON.stringify(value ?? null))
  for (const [name, child] of Object.entries(value)) leaves(child, path === '' ? name : `${path}.${name}`, into)
  return into
}

const matcher = (paths: readonly string[]) => {
  const patterns = paths.map(
    (p) =>
      new RegExp(
        `^${p
          .split('.')
          .map((s) => (s === '*' ? '\\d+' : s))
          .join('\\.')}$`,
      ),
  )
  return (path: string) => patterns.some((pattern) => pattern.test(path))
}

/** Leaves that differ. Values with opened secrets come in; secrets go out masked. */
export const changesBetween = (before: unknown, after: unknown, secretPaths: readonly string[]): Change[] => {
  const isSecret = matcher(secretPaths)
  const [old, now] = [leaves(before), leaves(after)]
  const shown = (path: string, text: string | undefined) =>
    text === undefined ? null : isSecret(path) && text !== '' ? SECRET_MASK : text
  return [...new Set([...now.keys(), ...old.keys()])]
    .filter((path) => old.get(path) !== now.get(path))
    .map((path) => ({
      path,
      before: shown(path, old.get(path)),
      after: shown(path, now.get(path)),
      secret: isSecret(path),
    }))
}

const statusChange = (before: Row | undefined, after: Row): Change[] =>
  before === undefined || before.status === after.status
    ? []
    : [{ path: 'status', before: String(before.status), after: String(after.status), secret: false }]

/** Newest first. */
export const recordHistory = async (
  db: Queryable,
  secrets: Secrets,
  record: ConfigRecord,
  input: { page: number; limit: number },
) => {
  const of = eq(settingHistory.key, record.key)
  const [total] = await db.select({ n: count() }).from(settingHistory).where(of)
  // One more than the page: the oldest shown is compared with the one before.
  const rows = await db
    .select()
    .from(settingHistory)
    .where(and(of))
    .orderBy(desc(settingHistory.version))
    .limit(input.limit + 1)
    .offset((Math.min(input.page, 1_000) - 1) * input.limit)
  const paths = secretsOfRecord(record)
  const opened = rows.map((row) => openValue(secrets, record.key, paths, row.value))
  const list = rows.slice(0, input.limit).map(
    (row, i): ConfigVersion => ({
      version: row.version,
      time: row.createdAt.toISOString(),
      by: row.createdBy,
      status: row.status,
      remark: row.remark ?? '',
      current: row.version === record.stored?.version,
      changes: [...statusChange(rows[i + 1], row), ...changesBetween(opened[i + 1] ?? {}, opened[i], paths)],
    }),
  )
  return page(input, total?.n ?? 0, list)
}
