/** kill -9 of the agent while changes arrive: nothing acknowledged is lost, and the node converges. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEngineAdmin } from './engine/admin.ts'
import { signalProcess } from './engine/proc.ts'
import { settings, site, siteBody, startOrigin } from './testing/bodies.ts'
import { ControlPlane } from './testing/control-plane.ts'
import { NodeUnderTest } from './testing/node.ts'
import { until } from './testing/wait.ts'

let plane: ControlPlane
let node: NodeUnderTest
let origin: Awaited<ReturnType<typeof startOrigin>>

beforeEach(async () => {
  plane = await ControlPlane.start()
  node = await NodeUnderTest.make(plane)
  origin = await startOrigin('o')
})

afterEach(async () => {
  await node.destroy()
  await plane.stop()
  await origin.stop()
})

/** Small seeded generator (mulberry32), so that a failing moment can be had again. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

async function revisionOnDisk(): Promise<number> {
  const meta: unknown = JSON.parse(await readFile(join(node.nodeDir, 'state/meta.json'), 'utf8'))
  return typeof meta === 'object' && meta !== null && 'revision' in meta ? Number(meta.revision) : 0
}

const highestAcknowledged = () => Math.max(0, ...plane.acks.filter((ack) => ack.ok).map((ack) => ack.revision))

it('keeps what it acknowledged through kills at seeded moments, and converges', async () => {
  const random = seeded(20_260)
  let revision = plane.put([settings(), site(1, 'h1.example', origin.port)])
  await node.start()
  await until('the first revision', () => plane.acknowledged(revision))
  for (let round = 0; round < 8; round++) {
    // Changes arrive one after another until the kill; its moment is counted in changes and a part of one.
    const changes = 1 + Math.floor(random() * 12)
    for (let change = 0; change < changes; change++) {
      revision = plane.put([site(2 + (revision % 20), `h${revision}.example`, origin.port)])
      if (random() < 0.6)
        await until(
          () => node.output.slice(-2000),
          () => plane.acknowledged(revision),
        )
    }
    await new Promise<void>((resolve) => setTimeout(resolve, random() * 12))
    await node.stop('SIGKILL')
    expect(await revisionOnDisk(), `round ${round}`).toBeGreaterThanOrEqual(highestAcknowledged())
    if (round % 3 === 2) await signalProcess(await node.master(), 'SIGKILL')
    await node.start()
  }
  await until(
    () => `revision ${revision}\n${node.output.slice(-2000)}`,
    () => plane.acknowledged(revision),
  )
  expect((await node.get(`h${revision - 1}.example`)).status).toBe(200)
  // From disk alone, with a new engine, the very same configuration.
  await plane.stop()
  await node.stop('SIGKILL')
  await signalProcess(await node.master(), 'SIGKILL')
  await node.start()
  await node.untilStatus('engine from disk', (status) => status.engineUp && status.revision === revision)
  expect((await node.get(`h${revision - 1}.example`)).status).toBe(200)
  expect((await node.get('h1.example')).status).toBe(200)
})

it('does not keep what an agent applied and did not live to write down, though it was taken back meanwhile', async () => {
  const second = await startOrigin('second')
  try {
    const revision = plane.put([settings(), site(1, 'a.example', origin.port)])
    await node.start()
    await until('the first revision', () => plane.acknowledged(revision))
    await node.stop('SIGKILL')
    // The state that a kill between the engine and the disk leaves: the engine runs the next revision, the disk has the one before.
    const moved = { ...siteBody(1, 'a.example', { host: '127.0.0.1', port: second.port }), addresses: [['127.0.0.1']] }
    const admin = createEngineAdmin(join(node.dir, 'run/ctl/admin.sock'))
    const applied = await admin.apply({
      revision: revision + 1,
      full: false,
      items: [{ kind: 'site', key: '1', body: moved }],
    })
    await admin.close()
    expect(applied).toMatchObject({ ok: true, refused: [] })
    expect((await node.get('a.example', '/moved')).body).toBe('second /moved')
    plane.put([site(1, 'a.example', second.port)])
    const last = plane.put([site(1, 'a.example', origin.port)])
    await node.start()
    await until(
      () => node.output.slice(-2000),
      () => plane.acknowledged(last),
    )
    expect((await node.get('a.example', '/back')).body).toBe('o /back')
  } finally {
    await second.stop()
  }
})
