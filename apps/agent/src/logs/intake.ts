/**
 * Takes the engine's log blocks: each is in the journal on disk before it is acknowledged, is counted once however often it
 * comes, and is sealed into a batch at the latest a second later. When the spool is full (or the disk nearly so) raw lines are
 * dropped and counted; the counters are kept always.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MAX_LOG_BATCH_LINES } from '@tidegate/contract/limits'
import { ensureDir, syncDir } from '../files.ts'
import { errorText, type Log } from '../log.ts'
import { createSerial } from '../serial.ts'
import { addToBatch, batchJson, countedBlock, newBatch, type OpenBatch, parseBlock } from './batch.ts'
import type { Block } from './block.ts'
import type { Spool } from './spool.ts'
import { createUlids } from './ulid.ts'
import { createWal, readWal, type Wal, type WalContent, type WalRecord } from './wal.ts'

const SEAL_MS = 1_000
/** The receiver takes 8 MiB a batch, unpacked; counters and punctuation need their part. */
const SEAL_BYTES = 5 * 1_048_576
/** Batches of counters alone are small: they need not be one a second when nothing else fits any more. */
const SEAL_COUNTED_MS = 60_000
const WORKERS_REMEMBERED = 1_000

export type IntakeOptions = Readonly<{
  dir: string
  spool: Spool
  /** Whether raw lines may be kept at present. */
  roomForLines: () => boolean
  onSealed: () => void
  /** Of 100 requests, for how many the line is kept; the counters count all. */
  logPercent?: () => number
  log: Log
  now?: () => number
}>

export type Intake = Readonly<{
  /** Resolves when the block is on disk; rejects when it could not be taken. */
  accept: (block: Block) => Promise<void>
  /** Seals what is open. */
  flush: () => Promise<void>
  /** Lines dropped since the agent's start, by the engine and here. */
  droppedLines: () => number
  close: () => Promise<void>
}>

type Waiting = { block: Block; done: () => void; failed: (error: unknown) => void }

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

function fill(content: WalContent, percent: number): OpenBatch {
  const batch = newBatch()
  for (const record of content.records) addRecord(batch, record, percent)
  return batch
}

function addRecord(batch: OpenBatch, record: WalRecord, percent: number): void {
  if (record.kind === 'counted') {
    const counted = countedBlock.parse(JSON.parse(record.text))
    addToBatch(batch, { counters: counted.counters, lines: [], dropped: counted.dropped + record.dropped })
    return
  }
  const { counters, lines, bad } = parseBlock(record.text, percent)
  addToBatch(batch, { counters, lines, dropped: record.dropped + bad })
}

/** Seals what an earlier run left in its journals. Gives the workers' last numbers and the highest id seen. */
async function recover(
  dir: string,
  spool: Spool,
  percent: number,
): Promise<{ seqs: Map<string, number>; last: string; old: string[] }> {
  const seqs = new Map<string, number>()
  const old = (await readdir(dir)).filter((name) => name.endsWith('.wal')).sort()
  let last = spool.ids().at(-1) ?? ''
  for (const name of old) {
    const content = await readWal(join(dir, name))
    if (content === undefined) continue
    for (const [worker, seq] of content.seqs) seqs.set(worker, seq)
    if (content.id > last) last = content.id
    // Both there: the crash came between sealing and removing the journal.
    if (content.records.length > 0 && !spool.has(content.id)) {
      await spool.seal(content.id, batchJson(content.id, fill(content, percent)))
    }
  }
  return { seqs, last, old }
}

export async function openIntake(options: IntakeOptions): Promise<Intake> {
  const { dir, spool, log } = options
  const now = options.now ?? Date.now
  const percent = options.logPercent ?? (() => 100)
  await ensureDir(dir)
  const { seqs, last, old } = await recover(dir, spool, percent())
  const nextId = createUlids(now, last)
  const inFlight = new Map<string, { seq: number; taken: Promise<void> }>()
  const waiting: Waiting[] = []
  const serial = createSerial()
  /** Batches whose sealing failed; their journals are on disk. */
  const unsealed: Array<{ id: string; wal: Wal; batch: OpenBatch }> = []
  let batch = newBatch()
  let openedAt = now()
  let kept = true
  let dropped = 0
  let closed = false
  let id = nextId()
  let wal: Wal = await createWal(join(dir, `${id}.wal`), id, seqs)
  await syncDir(dir)
  for (const name of old) await rm(join(dir, name), { force: true })

  function recordOf(block: Block): WalRecord {
    const { worker, seq, dropped: lost, text } = block
    if (options.roomForLines()) return { worker, seq, dropped: lost, kind: 'lines', text }
    const { counters, lines, bad } = parseBlock(text, percent())
    const counted = JSON.stringify({ counters, dropped: lines.length + bad })
    return { worker, seq, dropped: lost, kind: 'counted', text: counted }
  }

  function remember(worker: string, seq: number): void {
    seqs.delete(worker)
    seqs.set(worker, seq)
    const oldest = seqs.keys().next()
    if (seqs.size > WORKERS_REMEMBERED && !oldest.done) seqs.delete(oldest.value)
  }

  async function journal(taken: Waiting[]): Promise<void> {
    const records = taken.map(({ block }) => recordOf(block))
    await wal.append(records)
    const before = batch.dropped
    if (!batch.touched) {
      openedAt = now()
      kept = false
    }
    for (const record of records) {
      addRecord(batch, record, percent())
      remember(record.worker, record.seq)
      if (record.kind === 'lines') kept = true
    }
    dropped += batch.dropped - before
  }

  /** A new journal is there before the old one's batch is sealed: the workers' numbers are never without a home. */
  async function seal(): Promise<void> {
    if (batch.touched) {
      const following = nextId()
      const nextWal = await createWal(join(dir, `${following}.wal`), following, seqs)
      await syncDir(dir)
      unsealed.push({ id, wal, batch })
      wal = nextWal
      id = following
      batch = newBatch()
    }
    for (let first = unsealed[0]; first !== undefined; first = unsealed[0]) {
      await spool.seal(first.id, batchJson(first.id, first.batch))
      unsealed.shift()
      await first.wal.close()
      await rm(join(dir, `${first.id}.wal`), { force: true })
      options.onSealed()
    }
  }

  const isDue = () =>
    batch.touched &&
    (batch.lines.length >= MAX_LOG_BATCH_LINES || now() - openedAt >= (kept ? SEAL_MS : SEAL_COUNTED_MS))

  /** The waiting blocks that still fit into the open batch; none when it must be sealed first. A block alone always fits. */
  function takeFitting(): Waiting[] {
    let lines = batch.lines.length
    let bytes = batch.bytes
    let count = 0
    for (const { block } of waiting) {
      lines += countLines(block.text)
      bytes += Buffer.byteLength(block.text)
      if (lines > MAX_LOG_BATCH_LINES || bytes > SEAL_BYTES) break
      count++
    }
    if (count === 0 && !batch.touched) count = 1
    return waiting.splice(0, count)
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const taken = takeFitting()
      if (taken.length === 0) {
        await sealLogged()
        // Sealing failed before a new journal was there: the blocks are not taken, their workers send them again.
        if (batch.touched) for (const one of waiting.splice(0)) one.failed(new Error('the batch cannot be sealed'))
        continue
      }
      try {
        await journal(taken)
        for (const one of taken) one.done()
      } catch (error) {
        log.error('journal_failed', { error: errorText(error) })
        for (const one of taken) one.failed(error)
      }
      if (isDue()) await sealLogged()
    }
  }

  const sealLogged = () => seal().catch((error) => log.error('seal_failed', { error: errorText(error) }))

  /** One writer at a time: blocks that come meanwhile go into the next write together. */
  const kick = (then?: () => Promise<void>) =>
    serial(async () => {
      await work()
      await then?.()
    })

  const timer = setInterval(() => {
    if (isDue() || unsealed.length > 0) kick(sealLogged).catch(() => undefined)
  }, 100)

  return {
    accept: (block) => {
      if (closed) return Promise.reject(new Error('closed'))
      if (block.seq <= (seqs.get(block.worker) ?? 0)) return Promise.resolve()
      const same = inFlight.get(block.worker)
      if (same !== undefined && same.seq === block.seq) return same.taken
      const taken = new Promise<void>((done, failed) => {
        waiting.push({ block, done, failed })
      }).finally(() => inFlight.delete(block.worker))
      inFlight.set(block.worker, { seq: block.seq, taken })
      kick().catch(() => undefined)
      return taken
    },
    flush: () => kick(seal),
    droppedLines: () => dropped,
    close: async () => {
      clearInterval(timer)
      closed = true
      await kick(sealLogged)
      await wal.close()
    },
  }
}
