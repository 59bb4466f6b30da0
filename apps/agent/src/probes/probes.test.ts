/** Probes of real ports, rounds, and what is done with the results. */
import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createControlClient } from '../control/client.ts'
import { createLink } from '../control/link.ts'
import { certificateRequest, newPrivateKey } from '../identity/keys.ts'
import { createLog } from '../log.ts'
import { ControlPlane } from '../testing/control-plane.ts'
import { until } from '../testing/wait.ts'
import { probePort } from './connect.ts'
import { runProber } from './prober.ts'
import { probeRound } from './round.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const portOf = (server: Server) => (server.address() as { port: number }).port
const listen = async (): Promise<Server> => {
  const server = createServer((socket) => socket.on('error', () => {}))
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  return server
}
/** A port that nobody listens on. */
const closedPort = async (): Promise<number> => {
  const server = await listen()
  const port = portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('a probe', () => {
  it('of a port that listens is answered, of a closed one refused', async () => {
    expect(await probePort('127.0.0.1', portOf(await listen()), 5_000)).toEqual({ ms: expect.any(Number), error: '' })
    expect(await probePort('127.0.0.1', await closedPort(), 5_000)).toMatchObject({ error: 'refused' })
  })

  it('of a name that there is not says so', async () => {
    expect(await probePort('nowhere.invalid', 80, 20_000)).toMatchObject({ error: 'name' })
  })
})

describe('a round', () => {
  const own = { host: '127.0.0.1', ports: { httpPort: 8080, httpsPort: 8443 } }
  const signal = new AbortController().signal

  it('probes every target at every port once, the own engine at its own ports, spread over half of the time', async () => {
    const seen: string[] = []
    const begun = Date.now()
    const results = await probeRound({
      plan: {
        frequency: 2,
        ports: [80, 443, 22],
        targets: [
          { node: 1, address: null },
          { node: 2, address: '203.0.113.2' },
        ],
      },
      own,
      probe: async (host, port) => {
        seen.push(`${host}:${port}`)
        return { ms: 3, error: port === 22 ? 'refused' : '' }
      },
      now: () => Date.now(),
      random: () => 0.5,
      signal,
    })
    expect(seen.sort()).toEqual(
      [
        '127.0.0.1:22',
        '127.0.0.1:8080',
        '127.0.0.1:8443',
        '203.0.113.2:22',
        '203.0.113.2:443',
        '203.0.113.2:80',
      ].sort(),
    )
    expect(results.map((r) => `${r.node} ${r.port} ${r.error}`).sort()).toEqual(
      ['1 22 refused', '1 443 ', '1 80 ', '2 22 refused', '2 443 ', '2 80 '].sort(),
    )
    const times = results.map((r) => r.at - begun).sort((a, b) => a - b)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(300)
  })

  it('has only so many connections open at once, however many targets it has', async () => {
    let open = 0
    let most = 0
    let go = () => {}
    const full = new Promise<void>((resolve) => {
      go = resolve
    })
    const targets = Array.from({ length: 200 }, (_, i) => ({ node: i + 1, address: '203.0.113.2' }))
    const results = await probeRound({
      plan: { frequency: 1, ports: [80], targets },
      own,
      probe: async () => {
        open += 1
        most = Math.max(most, open)
        // Time enough for more to begin, if they could.
        if (open === 16) setTimeout(go, 100)
        await full
        open -= 1
        return { ms: 20, error: '' }
      },
      now: () => Date.now(),
      random: () => 0,
      signal,
    })
    expect([results.length, most]).toEqual([200, 16])
  })
})

describe('the prober', () => {
  it('brings what it saw of real ports by the server’s clock, and goes on while the control plane is away', async () => {
    const plane = await ControlPlane.start()
    closing.push(() => plane.stop())
    const [open, closed] = [portOf(await listen()), await closedPort()]
    const key = await enrolled(plane)
    const link = createLink()
    link.clockSkewMs = 7_200_000
    const client = createControlClient(plane.url, key, link)
    plane.probePlan = { frequency: 1, ports: [open, closed], targets: [{ node: 9, address: '127.0.0.1' }] }
    const stop = new AbortController()
    const own = { host: '127.0.0.1', ports: { httpPort: 1, httpsPort: 2 } }
    const running = runProber({ client, link, log: createLog(() => {}), own, signal: stop.signal })
    await until('three rounds', () => plane.probes.length >= 6)
    const before = plane.probes.length
    plane.probeRefusals.push(503, 503)
    await until('what was seen meanwhile', () => plane.probeRefusals.length === 0 && plane.probes.length >= before + 6)
    stop.abort()
    await running
    await client.close()
    const word = ({ node, port, error }: (typeof plane.probes)[number]) => `${node} ${port} ${error}`
    expect(new Set(plane.probes.map(word))).toEqual(new Set([`9 ${open} `, `9 ${closed} refused`]))
    // Each was brought once, and none of a round was left out.
    expect(new Set(plane.probes.map(({ port, at }) => `${port} ${at}`)).size).toBe(plane.probes.length)
    const [first] = plane.probes
    expect(Math.abs((first?.at ?? 0) - Date.now() - 7_200_000)).toBeLessThan(600_000)
  })
})

/** Credentials of a node of this control plane. */
const enrolled = async (plane: ControlPlane) => {
  const keyPem = await newPrivateKey()
  const certificate = await plane.authority.certify(await certificateRequest(keyPem), 1, 86_400_000)
  return { ca: plane.authority.caPem, certificate, keyPem }
}
