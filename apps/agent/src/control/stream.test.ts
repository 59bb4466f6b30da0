/** The stream of news over real TLS: silence, loss, and what is not understood. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { certificateRequest, newPrivateKey } from '../identity/keys.ts'
import { createLog } from '../log.ts'
import { ControlPlane } from '../testing/control-plane.ts'
import { until } from '../testing/wait.ts'
import { createBackoff } from './backoff.ts'
import { type ControlClient, createControlClient } from './client.ts'
import { readLines } from './lines.ts'
import { createLink, type Link } from './link.ts'
import { runStream } from './stream.ts'

let plane: ControlPlane
let client: ControlClient
let link: Link
let stop: AbortController
const events: string[] = []

beforeEach(async () => {
  events.length = 0
  plane = await ControlPlane.start()
  const keyPem = await newPrivateKey()
  const certificate = await plane.authority.certify(await certificateRequest(keyPem), 1, 3_600_000)
  link = createLink()
  client = createControlClient(plane.url, { ca: plane.authority.caPem, certificate, keyPem }, link)
  stop = new AbortController()
})
afterEach(async () => {
  stop.abort()
  await client.close()
  await plane.stop()
})

const run = (silenceMs?: number) =>
  runStream({
    client,
    link,
    log: createLog((line) => events.push(String(JSON.parse(line).event))),
    onEvent: (event) => events.push(event.type === 'revision' ? `revision ${event.revision}` : event.type),
    signal: stop.signal,
    silenceMs,
  })

it('hears of revisions, and connects again after a loss', async () => {
  const done = run()
  await until('the first ping', () => events.includes('ping'))
  plane.put([])
  await until('the revision', () => events.includes('revision 1'))
  await plane.stop()
  await until('the loss', () => events.includes('stream_lost') || events.includes('stream_ended'))
  await plane.listen()
  events.length = 0
  await until('a ping again', () => events.includes('ping'))
  plane.put([])
  await until('the next revision', () => events.includes('revision 2'))
  stop.abort()
  await done
})

it('gives up a connection on which nothing comes any more', async () => {
  const done = run(200)
  await until('a second connection', () => events.filter((event) => event === 'ping').length >= 2)
  expect(events).toContain('stream_lost')
  stop.abort()
  await done
})

it('waits between tries with jitter, longer each time, never beyond the bound', () => {
  const waits = createBackoff(500, 30_000, () => 0.999)
  expect([1, 2, 3].map(() => Math.round(waits.next()))).toEqual([500, 999, 1998])
  for (let i = 0; i < 20; i++) expect(waits.next()).toBeLessThanOrEqual(30_000)
  expect(createBackoff(500, 30_000, () => 0).next()).toBe(50)
})

it('rejects a line without end', async () => {
  async function* endless() {
    for (;;) yield Buffer.alloc(1_000, 120)
  }
  await expect(readLines(endless(), 5_000).next()).rejects.toThrow('longer than 5000')
})
