/** A file of names: read as it comes, put in by batches within one transaction, so that a file that is cut or wrong changes nothing. */
import { type BlackLine, blackKey, MAX_SHOWN_FAULTS, readBlackLine, shortened } from '@tidegate/contract/black'
import type { FieldErrorKey } from '@tidegate/contract/errors'
import { MAX_BLACK_FILE_BYTES, MAX_BLACK_FILE_LINES, MAX_BLACK_LINE } from '@tidegate/contract/limits'
import type { InputOf } from '@tidegate/contract/operations/index'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../platform/caller.ts'
import type { Tx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { row, rows } from '../../platform/query.ts'
import { audit } from '../audit/index.ts'
import { countChange, lockList } from './write.ts'

const BATCH = 5_000
type Input = InputOf<'black.import'>

interface Fault {
  key: FieldErrorKey
  params: Record<string, string | number>
}

/** `invalid_input` at the file. */
const refusal = (faults: readonly Fault[]) =>
  new AppError('invalid_input', { fields: faults.map((fault) => ({ path: 'file', ...fault })) })

/** The lines of a stream, numbered from 1. Throws when there are too many, or one is too long. */
async function* linesOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<[line: number, text: string]> {
  const decoder = new TextDecoder()
  let rest = ''
  let line = 0
  let bytes = 0
  const next = (text: string): [number, string] => {
    line += 1
    if (line > MAX_BLACK_FILE_LINES) throw refusal([{ key: 'line_too_many', params: { max: MAX_BLACK_FILE_LINES } }])
    return [line, text]
  }
  for await (const chunk of file) {
    bytes += chunk.length
    if (bytes > MAX_BLACK_FILE_BYTES) throw new AppError('too_large')
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() ?? ''
    if (rest.length > MAX_BLACK_LINE)
      throw refusal([{ key: 'line_domain', params: { line: line + 1, value: shortened(rest) } }])
    for (const part of parts) yield next(part)
  }
  if (rest !== '') yield next(rest)
}

/** Lines by the ids that their entries were given, both rising. */
interface Places {
  ids: number[]
  lines: number[]
}

interface Work {
  tx: Tx
  input: Input
  now: Date
  places: Places
  faults: Fault[]
  added: number
  skipped: number
}

/** Puts one batch in; names that are there already are skipped or become faults. */
const put = async (work: Work, batch: ReadonlyMap<string, BlackLine>) => {
  const { tx, input, now, places } = work
  const all = [...batch.values()]
  const made = await rows<{ id: number; name: string }>(
    tx,
    sql`INSERT INTO dns_black (name, sort_key, scope, enabled, category, remark, created_at, updated_at)
        SELECT n.name, n.key, n.scope, true, ${input.category}, ${input.remark}, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
        FROM unnest(${sql.param(all.map(({ name }) => name))}::text[], ${sql.param(all.map(({ name }) => blackKey(name)))}::text[],
          ${sql.param(all.map(({ scope }) => scope ?? input.scope))}::text[]) WITH ORDINALITY AS n (name, key, scope, place)
        ORDER BY n.place ON CONFLICT (name) DO NOTHING RETURNING id, name`,
  )
  for (const { id, name } of made) {
    places.ids.push(id)
    places.lines.push(batch.get(name)?.line ?? 0)
  }
  work.added += made.length
  if (made.length === all.length) return
  const fresh = new Set(made.map(({ name }) => name))
  const there = all.filter(({ name }) => !fresh.has(name))
  work.skipped += there.length
  if (input.existing === 'refuse') await blame(work, there)
}

/** Says of each whether it stands in an earlier line or was on the list before. */
const blame = async (work: Work, there: readonly BlackLine[]) => {
  for (const { line, name } of there.slice(0, MAX_SHOWN_FAULTS)) {
    const found = await row<{ id: number }>(work.tx, sql`SELECT id FROM dns_black WHERE name = ${name}`)
    const first = lineOf(work.places, found?.id ?? 0)
    work.faults.push(
      first === undefined
        ? { key: 'line_taken', params: { line, value: name } }
        : { key: 'line_duplicate', params: { line, first, value: name } },
    )
  }
}

const lineOf = ({ ids, lines }: Places, id: number): number | undefined => {
  let [low, high] = [0, ids.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const at = ids[middle] ?? 0
    if (at === id) return lines[middle]
    if (at < id) low = middle + 1
    else high = middle - 1
  }
  return undefined
}

/** Reads one line into the batch. */
const take = (work: Work, batch: Map<string, BlackLine>, line: number, text: string) => {
  const { names, wrong } = readBlackLine(text)
  if (wrong !== undefined) work.faults.push({ key: 'line_domain', params: { line, value: shortened(wrong) } })
  for (const { name, scope } of names) {
    const first = batch.get(name)?.line
    if (first === undefined) batch.set(name, { line, name, scope })
    else if (work.input.existing === 'skip') work.skipped += 1
    else work.faults.push({ key: 'line_duplicate', params: { line, first, value: name } })
  }
}

const lineFirst = (a: Fault, b: Fault) => Number(a.params.line) - Number(b.params.line)
const stopAt = (work: Work, faults: number) => {
  if (work.faults.length >= faults) throw refusal(work.faults.sort(lineFirst).slice(0, MAX_SHOWN_FAULTS))
}

/** Takes the whole file, or throws what is wrong with it at `file`. */
export const importFile = async (tx: Tx, input: Input, caller: Caller, now: Date) => {
  await lockList(tx)
  const work: Work = { ...{ tx, input, now, faults: [], added: 0, skipped: 0 }, places: { ids: [], lines: [] } }
  let batch = new Map<string, BlackLine>()
  for await (const [line, text] of linesOf(input.file)) {
    take(work, batch, line, text)
    if (batch.size >= BATCH) {
      await put(work, batch)
      batch = new Map()
    }
    stopAt(work, MAX_SHOWN_FAULTS)
  }
  if (batch.size > 0) await put(work, batch)
  stopAt(work, 1)
  const { added, skipped } = work
  if (added + skipped === 0) throw refusal([{ key: 'required', params: {} }])
  if (added > 0) await countChange(tx, now, { total: added, active: added })
  const { scope, category, remark, existing } = input
  const after = { added, skipped, scope, category, remark, existing }
  await audit(tx, caller, { action: 'black.import', target: 'dns blacklist', after })
  return { added, skipped }
}
