/** Enrolment, trust and renewal of the bundled agent against a real TLS 1.3 peer. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settings, site, startOrigin } from '../testing/bodies.ts'
import { ControlPlane } from '../testing/control-plane.ts'
import { NodeUnderTest } from '../testing/node.ts'
import { until } from '../testing/wait.ts'

let plane: ControlPlane
let node: NodeUnderTest

beforeEach(async () => {
  plane = await ControlPlane.start()
  node = await NodeUnderTest.make(plane)
})

afterEach(async () => {
  await node.destroy()
  await plane.stop()
})

const said = (word: string) =>
  until(
    () => `"${word}" in\n${node.output}`,
    () => node.output.includes(`"${word}"`),
  )

describe('who the node trusts and who it is', () => {
  it('does not enrol with a peer whose CA is not the pinned one, and keeps its token [N12]', async () => {
    await node.start({ TIDEGATE_CA_SHA256: 'ab'.repeat(32) })
    expect(await node.exitCode()).toBe(1)
    expect(node.output).toContain('does not present the pinned CA')
    expect(plane.tokens.size).toBe(1)
  })

  it('takes a token once: a second node with it is turned away [N12]', async () => {
    const [token = ''] = plane.tokens
    await node.start()
    await said('enrolled')
    const thief = await NodeUnderTest.make(plane, { TIDEGATE_ENROLL_TOKEN: token })
    expect(plane.tokens.has(token)).toBe(false)
    try {
      await thief.start()
      expect(await thief.exitCode()).toBe(1)
      expect(thief.output).toContain('401')
    } finally {
      await thief.destroy()
    }
  })

  it('keeps its identity over a restart and does not ask for another one', async () => {
    await node.start()
    await said('engine_started')
    await node.stop('SIGKILL')
    node.output = ''
    await node.start()
    await said('engine_adopted')
    expect(node.output).not.toContain('"enrolled"')
  })

  it('renews its certificate at two thirds of its life and goes on with the new one', async () => {
    plane.certificateLifeMs = 6_000
    await node.start()
    await said('enrolled')
    plane.certificateLifeMs = 3_600_000
    await said('certificate_renewed')
    expect(plane.renewals).toBe(1)
    const revision = plane.put([settings()])
    await until('a revision after the renewal', () => plane.acknowledged(revision))
  })

  it('goes on serving when it is revoked, asks rarely and says so', async () => {
    const origin = await startOrigin('o')
    try {
      const revision = plane.put([settings(), site(1, 'a.example', origin.port)])
      await node.start()
      await until('the first revision', () => plane.acknowledged(revision))
      plane.revoked.add(1)
      const later = plane.put([{ kind: 'site', key: '1', body: null }])
      await node.untilStatus('revoked', (status) => status.controlPlane === 'revoked', 20_000)
      expect((await node.get('a.example')).status).toBe(200)
      expect(plane.acknowledged(later)).toBe(false)
    } finally {
      await origin.stop()
    }
  })

  it('starts over when it is enrolled with another installation', async () => {
    const origin = await startOrigin('o')
    const other = await ControlPlane.start()
    try {
      const revision = plane.put([settings(), site(1, 'a.example', origin.port)])
      await node.start()
      await until('the first revision', () => plane.acknowledged(revision))
      await node.stop()
      const first = other.put([settings(), site(1, 'b.example', origin.port)])
      await node.start({
        TIDEGATE_CONTROL_URL: other.url,
        TIDEGATE_CA_SHA256: other.authority.caSha256,
        TIDEGATE_ENROLL_TOKEN: other.issueToken(),
      })
      await until(
        () => node.output,
        () => other.acknowledged(first),
      )
      expect((await node.get('a.example')).status).toBe(404)
      expect((await node.get('b.example')).status).toBe(200)
    } finally {
      await other.stop()
      await origin.stop()
    }
  })

  it('notices a clock that differs from the control plane’s', async () => {
    plane.clockOffsetMs = 60_000
    await node.start()
    await node.untilStatus('the skew', (status) => Math.abs(status.clockSkewMs - 60_000) < 5_000)
    expect(plane.reports[0]?.httpPort).toBeGreaterThan(0)
    expect(plane.reports[0]?.engineVersion).toMatch(/^nginx\/1\./)
  })
})
