/** The journal and the spool on a real disk, without an engine: bounds, duplicates, recovery. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type LogBatch, logBatch } from '@tidegate/contract/node/log'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { until } from '../testing/wait.ts'
import { type Block, readBlocks } from './block.ts'
import { openIntake } from './intake.ts'
import { openSpool, type Spool } from './spool.ts'
import { createUlids } from './ulid.ts'

const quiet = createLog(() => undefined)
const WORKER = 'ab'.repeat(16)
let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tga-spool-'))
})
afterEach(async () => {
  await rm(dir, { recursive: true, force: true })
})

function line(over: Record<string, unknown> = {}): string {
  const base = {
    ts: 1_700_000_000_000,
    rid: 'r',
    site: 1,
    host: 'a',
    ip: '::1',
    method: 'GET',
    scheme: 'http',
    uri: '/',
  }
  const sizes = { proto: 'HTTP/1.1', status: 200, out: 100, in: 10, org: 5, cache: 'HIT', ms: 1, oms: -1 }
  return `${JSON.stringify({ ...base, ...sizes, up: '', ua: '', ref: '', why: '', ...over })}\n`
}

const block = (seq: number, lines: string[], dropped = 0): Block => ({
  worker: WORKER,
  seq,
  dropped,
  text: lines.join(''),
})

async function open(roomForLines = () => true) {
  const spool = await openSpool(dir)
  return { spool, intake: await openIntake({ dir, spool, roomForLines, onSealed: () => undefined, log: quiet }) }
}

async function batches(spool: Spool): Promise<LogBatch[]> {
  const read = async (id: string) => logBatch.parse(JSON.parse(gunzipSync(await spool.read(id)).toString()))
  return Promise.all(spool.ids().map(read))
}

describe('taking log blocks', () => {
  it('seals counters and lines together, per minute and site', async () => {
    const { spool, intake } = await open()
    await intake.accept(
      block(1, [line(), line({ site: 2, status: 404, cache: 'MISS' }), line({ ts: 1_700_000_060_000 })]),
    )
    await intake.flush()
    const [batch] = await batches(spool)
    expect(batch?.lines).toHaveLength(3)
    expect(
      batch?.counters.map(({ minute, site, requests, hits, s4xx }) => [minute, site, requests, hits, s4xx]),
    ).toEqual([
      [1_699_999_980, 1, 1, 1, 0],
      [1_699_999_980, 2, 1, 0, 1],
      [1_700_000_040, 1, 1, 1, 0],
    ])
    await intake.close()
  })

  it('seals by itself within about a second', async () => {
    const { spool, intake } = await open()
    await intake.accept(block(1, [line()]))
    await until('a sealed batch', () => spool.ids().length === 1, 3_000)
    await intake.close()
  })

  it('never makes a batch larger than the receiver takes', async () => {
    const { spool, intake } = await open()
    const lines = Array.from({ length: 2_000 }, () => line())
    const workers = ['a', 'b', 'c', 'd', 'e'].map((digit) => digit.repeat(32))
    await Promise.all(workers.map((worker) => intake.accept({ worker, seq: 1, dropped: 0, text: lines.join('') })))
    await intake.flush()
    const sizes = (await batches(spool)).map((batch) => batch.lines.length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5_000)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10_000)
    await intake.close()
  })

  it('takes a block that comes again once, also after a crash', async () => {
    const first = await open()
    await first.intake.accept(block(1, [line()]))
    await first.intake.accept(block(1, [line()]))
    // No close: the next one finds what a killed agent leaves.
    const second = await open()
    await second.intake.accept(block(1, [line()]))
    await second.intake.accept(block(2, [line()]))
    await second.intake.flush()
    const sum = (await batches(second.spool)).flatMap((batch) => batch.counters).reduce((n, one) => n + one.requests, 0)
    expect(sum).toBe(2)
    await second.intake.close()
  })

  it('drops lines, never counters, when there is no room, and says how many', async () => {
    const { spool, intake } = await open(() => false)
    await intake.accept(block(1, [line(), line(), 'no json\n'], 7))
    await intake.flush()
    const [batch] = await batches(spool)
    expect(batch).toMatchObject({ lines: [], dropped: 10 })
    expect(batch?.counters[0]).toMatchObject({ requests: 2, bytesOut: 200 })
    expect(intake.droppedLines()).toBe(10)
    await intake.close()
  })

  it('keeps the spool within its bound while the counters stay exact', async () => {
    const LIMIT = 20_000
    let size = () => 0
    const { spool, intake } = await open(() => size() < LIMIT)
    size = spool.bytes
    for (let seq = 1; seq <= 200; seq++) {
      await intake.accept(block(seq, [line({ rid: `${seq}${Math.random()}`, uri: `/${Math.random()}` })]))
      if (seq % 5 === 0) await intake.flush()
    }
    await intake.flush()
    const all = await batches(spool)
    expect(all.reduce((n, batch) => n + batch.lines.length + batch.dropped, 0)).toBe(200)
    expect(all.flatMap((batch) => batch.counters).reduce((n, one) => n + one.requests, 0)).toBe(200)
    expect(spool.bytes()).toBeLessThan(LIMIT * 1.6)
    expect((await readdir(dir)).filter((name) => name.endsWith('.tmp'))).toEqual([])
    await intake.close()
  })
})

describe('the engine’s block protocol', () => {
  async function read(chunks: string[]): Promise<Block[]> {
    const found: Block[] = []
    async function* source() {
      for (const chunk of chunks) yield Buffer.from(chunk)
    }
    for await (const one of readBlocks(source())) found.push(one)
    return found
  }

  it('finds blocks wherever the stream was cut', async () => {
    const text = `#${WORKER} 1 4 0\nabc\n#${WORKER} 2 3 5\nde\n`
    const want = [
      { worker: WORKER, seq: 1, dropped: 0, text: 'abc\n' },
      { worker: WORKER, seq: 2, dropped: 5, text: 'de\n' },
    ]
    expect(await read([text])).toEqual(want)
    expect(await read([...text])).toEqual(want)
  })

  it('refuses what is not the protocol', async () => {
    await expect(read(['GET / HTTP/1.1\n'])).rejects.toThrow('malformed')
    await expect(read([`#${WORKER} 1 999999999 0\n`])).rejects.toThrow('999999999')
    await expect(read(['x'.repeat(500)])).rejects.toThrow('too long')
  })
})

describe('ids of batches', () => {
  it('rise even when the clock goes back', () => {
    let now = 2_000_000_000_000
    const next = createUlids(() => now)
    const first = next()
    now -= 3_600_000
    const second = next()
    expect(second > first).toBe(true)
    expect(createUlids(() => now, second)() > second).toBe(true)
    expect(first).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  })
})
