/** How many connections a node opens: thousands of nodes ask at the same moment. */
import { gzipSync } from 'node:zlib'
import { configDelta } from '@tidegate/contract/node/config'
import { AGENT_PATHS } from '@tidegate/contract/node/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { certificateRequest, newPrivateKey } from '../identity/keys.ts'
import { ControlPlane } from '../testing/control-plane.ts'
import { createControlClient } from './client.ts'
import { createLink } from './link.ts'

const batch = (number: number) =>
  gzipSync(JSON.stringify({ id: `${number}`.padStart(26, '0'), counters: [], lines: [], dropped: 0 }))

it('keeps to one connection each for the stream, the calls and the log batches, however much is asked at once', async () => {
  const plane = await ControlPlane.start()
  const keyPem = await newPrivateKey()
  const certificate = await plane.authority.certify(await certificateRequest(keyPem), 1, 3_600_000)
  const client = createControlClient(plane.url, { ca: plane.authority.caPem, certificate, keyPem }, createLink())
  const stop = new AbortController()
  onTestFinished(async () => {
    stop.abort()
    await client.close()
    await plane.stop()
  })
  plane.put([])
  const stream = await client.open(AGENT_PATHS.stream, stop.signal)
  stream.on('error', () => undefined)
  const pulls = Array.from({ length: 20 }, () =>
    client.call({ method: 'GET', path: AGENT_PATHS.config, query: { since: 0 } }, configDelta),
  )
  const batches = Array.from({ length: 20 }, (_, i) =>
    client.call({ method: 'POST', path: AGENT_PATHS.logs, gzip: batch(i) }, z.unknown()),
  )
  expect((await Promise.all(pulls)).map((delta) => delta.revision)).toEqual(Array(20).fill(1))
  await Promise.all(batches)
  expect(plane.deliveries).toHaveLength(20)
  expect(plane.connections()).toBe(3)
})
