/** From the engine's log line to the control plane: each request counted once, whatever breaks. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settings, site, startOrigin } from '../testing/bodies.ts'
import { ControlPlane } from '../testing/control-plane.ts'
import { NodeUnderTest } from '../testing/node.ts'
import { until } from '../testing/wait.ts'

let plane: ControlPlane
let node: NodeUnderTest
let origin: Awaited<ReturnType<typeof startOrigin>>

beforeEach(async () => {
  plane = await ControlPlane.start()
  node = await NodeUnderTest.make(plane)
  origin = await startOrigin('o')
  const revision = plane.put([settings(), site(1, 'a.example', origin.port)])
  await node.start()
  await until(
    () => node.output,
    () => plane.acknowledged(revision),
  )
})

afterEach(async () => {
  await node.destroy()
  await plane.stop()
  await origin.stop()
})

const counted = (requests: number) =>
  until(
    () => `${requests} requests, ${JSON.stringify(plane.totals(1))}\n${node.output.slice(-1500)}`,
    () => plane.totals(1).requests >= requests,
  )

async function visit(times: number): Promise<void> {
  for (let i = 0; i < times; i++) expect((await node.get('a.example', '/page')).status).toBe(200)
}

describe('log path [N10]', () => {
  it('counts every request and cache hit once and ships the lines', async () => {
    await visit(20)
    await counted(20)
    expect(plane.totals(1)).toEqual({ requests: 20, hits: 19, lines: 20 })
  })

  it('sends a batch whose answer was lost again under the same id', async () => {
    plane.loseReplies = 2
    await visit(5)
    await counted(5)
    await until('the batch to be sent again', () => plane.deliveries.length > plane.batches.size)
    await until('the spool to be empty', async () => (await node.spoolFiles()).length === 0)
    expect(plane.totals(1).requests).toBe(5)
  })

  it('loses and doubles nothing when the agent is killed under traffic and the control plane is away', async () => {
    await plane.stop()
    let sent = 0
    for (let round = 0; round < 3; round++) {
      await visit(10)
      await node.stop('SIGKILL')
      await visit(10)
      await node.start()
      sent += 20
    }
    await plane.listen()
    await counted(sent)
    await until('the spool to be empty', async () => (await node.spoolFiles()).length === 0)
    expect(plane.totals(1)).toMatchObject({ requests: sent, lines: sent })
  })
})
