/** The bundled agent with a real nginx against a real TLS peer. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isAlive, signalProcess } from './engine/proc.ts'
import { purge, settings, site, siteBody, startOrigin } from './testing/bodies.ts'
import { ControlPlane } from './testing/control-plane.ts'
import { NodeUnderTest } from './testing/node.ts'
import { until } from './testing/wait.ts'

let plane: ControlPlane
let node: NodeUnderTest
let origin: Awaited<ReturnType<typeof startOrigin>>

beforeEach(async () => {
  plane = await ControlPlane.start()
  node = await NodeUnderTest.make(plane)
  origin = await startOrigin('first')
})

afterEach(async () => {
  await node.destroy()
  await plane.stop()
  await origin.stop()
})

const acknowledged = (revision: number) =>
  until(
    () => `acknowledgement of ${revision}\n${node.output.slice(-3000)}`,
    () => plane.acknowledged(revision),
  )

describe('configuration on its way to the engine', () => {
  it('enrols, pulls, applies, probes and acknowledges; a change is live without a reload [N2 N12]', async () => {
    const first = plane.put([settings(), site(1, 'a.example', origin.port)])
    await node.start()
    await acknowledged(first)
    expect(plane.lastAck()).toMatchObject({ ok: true, revision: first, tried: first, refused: [], probed: true })
    expect(await node.get('a.example', '/x')).toMatchObject({ status: 200, body: 'first /x' })
    expect((await node.get('b.example')).status).toBe(404)
    const master = await node.master()
    const second = plane.put([site(2, 'b.example', origin.port), { kind: 'site', key: '1', body: null }])
    await acknowledged(second)
    expect((await node.get('b.example', '/y')).body).toBe('first /y')
    expect((await node.get('a.example')).status).toBe(404)
    expect(await node.master()).toEqual(master)
    expect(plane.lastAck()?.totalMs).toBeGreaterThan(0)
  })

  it('refuses one bad site among good ones, keeps its version before and says why [N3]', async () => {
    await node.start()
    await acknowledged(plane.put([settings(), site(1, 'a.example', origin.port)]))
    const bad = { ...siteBody(1, 'a.example', { host: '127.0.0.1', port: origin.port }), hosts: [] }
    const revision = plane.put([{ kind: 'site', key: '1', body: bad }, site(2, 'b.example', origin.port)])
    await acknowledged(revision)
    const ack = plane.lastAck()
    expect(ack?.refused.map(({ key, reason }) => [key, reason])).toEqual([['1', 'schema']])
    expect(ack?.refusedNow).toEqual(['site 1'])
    expect((await node.get('a.example', '/old')).body).toBe('first /old')
    expect((await node.get('b.example', '/new')).body).toBe('first /new')
    await acknowledged(plane.put([site(1, 'a2.example', origin.port)]))
    expect(plane.lastAck()?.refusedNow).toEqual([])
    expect((await node.get('a2.example')).status).toBe(200)
  })

  it('refuses what the engine will not compile and what was changed on the way', async () => {
    await node.start()
    await acknowledged(plane.put([settings(), site(1, 'a.example', origin.port)]))
    const revision = plane.put([
      site(2, 'a.example', origin.port),
      { ...site(3, 'c.example', origin.port), hash: '0'.repeat(64) },
      { kind: 'future', key: 'x', body: {} },
      site(4, 'd.example', origin.port),
    ])
    await acknowledged(revision)
    const reasons = Object.fromEntries(plane.lastAck()?.refused.map(({ key, reason }) => [key, reason]) ?? [])
    expect(reasons).toEqual({ 2: 'compile', 3: 'schema', x: 'unknown_kind' })
    expect((await node.get('d.example')).status).toBe(200)
    // The host comes free: the refused site is tried again without being sent again.
    await acknowledged(plane.put([site(1, 'a1.example', origin.port)]))
    expect(plane.lastAck()?.refusedNow).toEqual(['future x', 'site 3'])
    expect((await node.get('a.example')).status).toBe(200)
  })

  it('refuses a private origin until the operator allows it', async () => {
    await node.start()
    const refused = plane.put([settings([]), site(1, 'a.example', origin.port)])
    await acknowledged(refused)
    expect(plane.lastAck()?.refused[0]).toMatchObject({ kind: 'site', key: '1', reason: 'private_origin' })
    expect((await node.get('a.example')).status).toBe(404)
    await acknowledged(plane.put([settings([`127.0.0.1:${origin.port}`])]))
    expect(plane.lastAck()?.refusedNow).toEqual([])
    expect((await node.get('a.example')).status).toBe(200)
  })

  it('serves and starts again from disk while the control plane is away [N3]', async () => {
    await node.start()
    const revision = plane.put([settings(), site(1, 'a.example', origin.port), purge(1, 7)])
    await acknowledged(revision)
    await plane.stop()
    const master = await node.master()
    await node.stop('SIGTERM')
    expect((await node.get('a.example', '/alone')).body).toBe('first /alone')
    await signalProcess(master, 'SIGKILL')
    await node.start()
    const status = await node.untilStatus('engine from disk', (found) => found.engineUp && found.revision === revision)
    expect(status.alerts).toContain('config_from_disk')
    expect((await node.get('a.example', '/again')).body).toBe('first /again')
    await plane.listen()
    await acknowledged(plane.put([site(2, 'b.example', origin.port)]))
    expect((await node.get('b.example')).status).toBe(200)
  })

  it('brings a killed engine back within two seconds, with its configuration', async () => {
    await node.start()
    await acknowledged(plane.put([settings(), site(1, 'a.example', origin.port)]))
    const before = await node.master()
    await signalProcess(before, 'SIGKILL')
    const killedAt = Date.now()
    await until('a new master serves', async () => {
      const now = await node.master().catch(() => before)
      const answer = await node.get('a.example').catch(() => undefined)
      return now.pid !== before.pid && answer?.status === 200
    })
    expect(Date.now() - killedAt).toBeLessThan(2_000)
  })

  it('finds an origin by name, and is live without one whose name does not resolve', async () => {
    await node.start()
    const named = siteBody(1, 'a.example', { host: 'localhost', port: origin.port })
    const lost = siteBody(2, 'b.example', { host: 'no-such-name.invalid', port: 80 })
    const sites = [named, lost].map((body) => ({ kind: 'site' as const, key: String(body.id), body }))
    await acknowledged(plane.put([settings(), ...sites]))
    expect(plane.lastAck()?.refused).toEqual([])
    expect((await node.get('a.example')).status).toBe(200)
    expect((await node.get('b.example')).status).toBe(502)
    const status = await node.untilStatus('the alert', (found) => found.alerts.includes('origin_unresolved'), 30_000)
    expect(status.unresolvedOrigins).toEqual(['no-such-name.invalid'])
  })

  it('stops the engine with itself only when told to, and loses no log line by it', async () => {
    await node.start({ TIDEGATE_STOP_ENGINE: '1' })
    const revision = plane.put([settings(), site(1, 'a.example', origin.port)])
    await acknowledged(revision)
    for (let i = 0; i < 5; i++) expect((await node.get('a.example')).status).toBe(200)
    const master = await node.master()
    await node.stop('SIGTERM')
    expect(await isAlive(master)).toBe(false)
    await expect(node.get('a.example')).rejects.toThrow()
    await node.start()
    await until('the lines from before the stop', () => plane.totals(1).requests === 5)
  })

  it('keeps keys and state for itself', async () => {
    await node.start()
    await acknowledged(plane.put([settings(), site(1, 'a.example', origin.port)]))
    for (const file of ['identity.json', 'state/certs.jsonl', 'engine/default.key', 'engine/probe.secret']) {
      expect((await stat(join(node.nodeDir, file))).mode & 0o777, file).toBe(0o600)
    }
    expect(node.output).not.toContain('PRIVATE KEY')
  })
})
