import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endStore, type StoreProcess, startStore } from './store-process.ts'

// The client prints every refusal that a test provokes.
const log = { level: ClickHouseLogLevel.OFF }

/** The same expectations for our process and, where one is given, for a real ClickHouse. */
const peers = ['embedded', ...(process.env.CLICKHOUSE_URL ? ['clickhouse'] : [])]

describe.each(peers)('the HTTP interface of %s', (peer) => {
  const base = mkdtempSync(join(tmpdir(), 'tidegate store-'))
  const database = `conformance_${process.pid}`
  let store: StoreProcess | undefined
  let url = process.env.CLICKHOUSE_URL ?? ''
  let client: ClickHouseClient

  beforeAll(async () => {
    if (peer === 'embedded') {
      store = await startStore(base)
      url = store.url
    }
    const first = createClient({ url, log })
    await first.command({ query: `CREATE DATABASE ${database}` })
    await first.close()
    client = createClient({ url, database, log })
  })

  afterAll(async () => {
    await client.command({ query: `DROP DATABASE ${database}` })
    await client.close()
    if (store) await endStore(store.child)
    rmSync(base, { recursive: true, force: true })
  })

  const select = async (query: string, query_params: Record<string, unknown> = {}) =>
    await (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Record<string, unknown>>()

  it('answers a ping, with and without a statement', async () => {
    expect((await client.ping()).success).toBe(true)
    expect((await client.ping({ select: true })).success).toBe(true)
  })

  it('binds parameters by their type, and no text leaves its place', async () => {
    const nasty = "it's \\ a\ttab\nand '); DROP TABLE t; --"
    const rows = await select(
      'SELECT {n:UInt64} + 1 AS n, {s:String} AS s, {l:Array(String)} AS l, {d:DateTime} AS d',
      {
        n: '9007199254740993',
        s: nasty,
        l: [nasty, 'b'],
        d: new Date('2026-01-02T03:04:05Z'),
      },
    )
    expect(rows).toEqual([{ n: expect.anything(), s: nasty, l: [nasty, 'b'], d: '2026-01-02 03:04:05' }])
    expect(await select('SELECT {v:Nullable(String)} AS v', { v: null })).toEqual([{ v: null }])
    expect(await select('SELECT count() AS c FROM system.{t:Identifier}', { t: 'one' })).toHaveLength(1)
  })

  it('keeps parameters of statements that run at once apart', async () => {
    const numbers = Array.from({ length: 40 }, (_, n) => n)
    const results = await Promise.all(numbers.map((n) => select('SELECT {n:UInt32} AS n', { n })))
    expect(results).toEqual(numbers.map((n) => [{ n }]))
  })

  it('quotes 64-bit integers when asked, for this statement only', async () => {
    const ask = async (quoted: 0 | 1) =>
      await (
        await client.query({
          query: 'SELECT 18446744073709551615::UInt64 AS n',
          format: 'JSONEachRow',
          clickhouse_settings: { output_format_json_quote_64bit_integers: quoted },
        })
      ).text()
    expect(await ask(1)).toContain('"18446744073709551615"')
    expect(await ask(0)).toContain(':18446744073709551615')
  })

  it('inserts rows from an array and a stream, compressed or not, and tells how many', async () => {
    await client.command({ query: 'CREATE TABLE rows (n UInt32, s String) ENGINE = MergeTree ORDER BY n' })
    const values = Array.from({ length: 1_000 }, (_, n) => ({ n, s: `row ${n}\n"quoted"` }))
    const plain = await client.insert({ table: 'rows', values, format: 'JSONEachRow' })
    expect(plain.summary?.written_rows).toBe('1000')
    const packed = createClient({ url, database, compression: { request: true, response: true }, log })
    await packed.insert({ table: 'rows', values: Readable.from(values), format: 'JSONEachRow' })
    const answer = await packed.query({ query: 'SELECT * FROM rows', format: 'JSONEachRow' })
    expect(await answer.json()).toHaveLength(2_000)
    await packed.close()
    expect(await select('SELECT uniqExact(n)::UInt32 AS n FROM rows WHERE s LIKE \'%"quoted"\'')).toEqual([
      { n: 1_000 },
    ])
  })

  it('takes a body of many pieces whole', async () => {
    await client.command({ query: 'CREATE TABLE many (n UInt32, s String) ENGINE = MergeTree ORDER BY n' })
    const filler = 'x'.repeat(200)
    async function* lines() {
      for (let n = 0; n < 120_000; n++) yield { n, s: filler }
    }
    await client.insert({ table: 'many', values: Readable.from(lines()), format: 'JSONEachRow' })
    expect(await select('SELECT count()::UInt32 AS c, max(n) AS m FROM many')).toEqual([{ c: 120_000, m: 119_999 }])
  })

  it('says what is wrong with code and name, and inserts nothing of a bad row', async () => {
    await expect(select('SELEC 1')).rejects.toMatchObject({ code: '62', type: 'SYNTAX_ERROR' })
    await expect(select('SELECT * FROM nowhere')).rejects.toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' })
    await expect(select('SELECT {n:UInt8}', { n: 'x' })).rejects.toMatchObject({ code: expect.stringMatching(/^\d+$/) })
    await client.command({ query: 'CREATE TABLE strict (n UInt32) ENGINE = MergeTree ORDER BY n' })
    const bad = client.insert({ table: 'strict', values: [{ n: 1 }, { n: 'none' }], format: 'JSONEachRow' })
    await expect(bad).rejects.toMatchObject({ code: '27' })
    expect(await select('SELECT count()::UInt32 AS c FROM strict')).toEqual([{ c: 0 }])
  })

  it('refuses an unknown setting and forgets a known one after its statement', async () => {
    const settings = { no_such_setting: 1 } as Record<string, number>
    const unknown = client.query({ query: 'SELECT 1', clickhouse_settings: settings })
    await expect(unknown).rejects.toMatchObject({ code: '115' })
    const limited = client.query({
      query: 'SELECT number FROM numbers(10)',
      clickhouse_settings: { max_result_rows: '3' },
    })
    await expect(limited).rejects.toMatchObject({ code: '396' })
    for (let n = 0; n < 8; n++) expect(await select('SELECT number FROM numbers(10)')).toHaveLength(10)
  })

  it('refuses a wrong key', async () => {
    const wrong = new URL(url)
    wrong.password = 'wrong'
    const stranger = createClient({ url: wrong, log })
    await expect(stranger.query({ query: 'SELECT 1' })).rejects.toMatchObject({ code: '516' })
    await stranger.close()
    wrong.username = wrong.password = ''
    const bare = await fetch(wrong, { method: 'POST', body: 'SELECT 1', headers: { 'X-ClickHouse-User': 'nobody' } })
    expect([401, 403]).toContain(bare.status)
  })

  it('answers plain HTTP: query id, summary, exception code, compressed body, no writing by GET', async () => {
    const { username, password, origin } = new URL(url)
    const headers = { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': password }
    const good = await fetch(`${origin}/?query_id=abc-1&default_format=JSON`, {
      method: 'POST',
      headers,
      body: 'SELECT 7',
    })
    expect(good.headers.get('x-clickhouse-query-id')).toBe('abc-1')
    expect(JSON.parse(good.headers.get('x-clickhouse-summary') ?? '')).toHaveProperty('read_rows')
    expect(await good.json()).toMatchObject({ rows: 1 })
    const bad = await fetch(`${origin}/`, { method: 'POST', headers, body: 'SELEC 1' })
    expect([bad.status, bad.headers.get('x-clickhouse-exception-code')]).toEqual([400, '62'])
    const packed = await fetch(`${origin}/`, {
      method: 'POST',
      headers: { ...headers, 'Content-Encoding': 'gzip' },
      body: gzipSync('SELECT 8'),
    })
    expect(await packed.text()).toBe('8\n')
    const write = await fetch(`${origin}/?query=${encodeURIComponent('CREATE TABLE t (n UInt8) ENGINE = Memory')}`, {
      headers,
    })
    expect(write.headers.get('x-clickhouse-exception-code')).toBe('164')
  })

  it('stays responsive while a statement runs', async () => {
    const slow = client.query({ query: 'SELECT sleep(2)', format: 'JSONEachRow' })
    const started = Date.now()
    await Promise.all(Array.from({ length: 20 }, () => select('SELECT 1')))
    expect(Date.now() - started).toBeLessThan(1_500)
    await (await slow).text()
  })
})
