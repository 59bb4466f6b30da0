/**
 * The journal of the batch that is being filled: what a worker has been told is taken is here, on disk, before it is told.
 * First line: id of the batch to be, and the last sequence number of each worker; then records, each a head line and its bytes.
 */
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { z } from 'zod'

const walHead = z.object({ id: z.string(), seqs: z.record(z.string(), z.int()) })
const recordHead = z.object({
  w: z.string(),
  s: z.int(),
  /** Lines that the worker had dropped before this block. */
  d: z.int(),
  /** lines: the block as it came; counted: a countedBlock as JSON, its raw lines were not kept. */
  k: z.enum(['lines', 'counted']),
  n: z.int(),
})

export type WalRecord = Readonly<{
  worker: string
  seq: number
  dropped: number
  kind: 'lines' | 'counted'
  text: string
}>
export type WalContent = Readonly<{ id: string; seqs: Map<string, number>; records: WalRecord[] }>

export type Wal = Readonly<{
  /** Durable when it resolves. */
  append: (records: readonly WalRecord[]) => Promise<void>
  close: () => Promise<void>
}>

function encode(record: WalRecord): Buffer[] {
  const body = Buffer.from(record.text)
  const head = { w: record.worker, s: record.seq, d: record.dropped, k: record.kind, n: body.length }
  return [Buffer.from(`${JSON.stringify(head)}\n`), body, Buffer.from('\n')]
}

/** Makes a new journal at `path`; durable (but for the folder's entry) when it resolves. */
export async function createWal(path: string, id: string, seqs: ReadonlyMap<string, number>): Promise<Wal> {
  const file: FileHandle = await open(path, 'wx', 0o600)
  await file.writeFile(`${JSON.stringify({ id, seqs: Object.fromEntries(seqs) })}\n`)
  await file.sync()
  let size = (await file.stat()).size
  return {
    append: async (records) => {
      const data = Buffer.concat(records.flatMap(encode))
      try {
        await file.write(data, 0, data.length, size)
        await file.datasync()
        size += data.length
      } catch (error) {
        // What was written of it must not be taken for a record.
        await file.truncate(size).catch(() => undefined)
        throw error
      }
    },
    close: () => file.close(),
  }
}

/** Reads a journal back; a record cut off by a crash was never acknowledged and is dropped. Undefined when not even its head is whole. */
export async function readWal(path: string): Promise<WalContent | undefined> {
  const data = await readFile(path)
  const headEnd = data.indexOf(10)
  if (headEnd < 0) return undefined
  const head = walHead.safeParse(parseJson(data.toString('utf8', 0, headEnd)))
  if (!head.success) return undefined
  const seqs = new Map(Object.entries(head.data.seqs))
  const records: WalRecord[] = []
  let at = headEnd + 1
  while (at < data.length) {
    const end = data.indexOf(10, at)
    const record = end < 0 ? undefined : recordHead.safeParse(parseJson(data.toString('utf8', at, end))).data
    if (record === undefined || end + 1 + record.n + 1 > data.length) break
    const text = data.toString('utf8', end + 1, end + 1 + record.n)
    records.push({ worker: record.w, seq: record.s, dropped: record.d, kind: record.k, text })
    seqs.set(record.w, record.s)
    at = end + 1 + record.n + 1
  }
  return { id: head.data.id, seqs, records }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
