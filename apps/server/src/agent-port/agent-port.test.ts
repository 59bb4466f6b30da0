import { createHash, X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { AGENT_PATHS } from '@tidegate/contract/node/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCa } from '../modules/node/index.ts'
import { createSecrets } from '../platform/secrets.ts'
import { enrollBody, openPlane, type TestPlane, until } from '../testing/plane.ts'
import { newRequest, simNode } from '../testing/sim-node.ts'

describe('the port for nodes', () => {
  let plane: TestPlane
  let dir: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tg-files-'))
    await writeFile(join(dir, 'agent.mjs'), 'the agent')
    await writeFile(join(dir, 'install.sh'), 'echo {{sha256:agent.mjs}}\n')
    plane = await openPlane({ nodeFiles: dir })
  })
  afterAll(async () => {
    await plane.close()
    await rm(dir, { recursive: true })
  })
  const stranger = () => simNode(plane.port, plane.ca, { keyPem: '', certificate: '' })

  it('speaks TLS 1.3 only, and shows the CA that install commands pin', async () => {
    const old = connect({ port: plane.port, host: '127.0.0.1', maxVersion: 'TLSv1.2', rejectUnauthorized: false })
    await expect(new Promise((ok, no) => old.on('secureConnect', ok).on('error', no))).rejects.toThrow()
    const socket = connect({ port: plane.port, host: '127.0.0.1', servername: 'localhost', ca: plane.ca })
    await new Promise((ok, no) => socket.on('secureConnect', ok).on('error', no))
    const chain = socket.getPeerCertificate(true)
    const pinned = createHash('sha256').update(chain.issuerCertificate.raw).digest('hex')
    expect(pinned).toBe((await plane.plane.node.ca()).sha256)
    socket.destroy()
  })

  it('certifies what it decides, not what the request asks for [N12]', async () => {
    const { token, nodeId } = await plane.issueToken('modest')
    const { csr } = await newRequest('CN=node:1')
    const { status, body } = await stranger().call('POST', AGENT_PATHS.enroll, enrollBody(token, csr))
    expect(status).toBe(200)
    const certificate = new X509Certificate(String(body.certificate))
    expect(certificate.subject).toBe(`CN=node:${nodeId}`)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
    const days = (new Date(certificate.validTo).getTime() - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(89)
    expect(days).toBeLessThan(91)
  })

  it('takes a token once, and not after its time [N12]', async () => {
    const { token } = await plane.issueToken('once')
    const first = await newRequest()
    expect((await stranger().call('POST', AGENT_PATHS.enroll, enrollBody(token, first.csr))).status).toBe(200)
    const again = await stranger().call('POST', AGENT_PATHS.enroll, enrollBody(token, (await newRequest()).csr))
    expect(again).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    const late = await plane.issueToken('late')
    await plane.query("UPDATE enroll_token SET expires_at = now() - interval '1 second' WHERE node_id = $1", [
      late.nodeId,
    ])
    const refused = await stranger().call('POST', AGENT_PATHS.enroll, enrollBody(late.token, (await newRequest()).csr))
    expect(refused.status).toBe(403)
    const stored = await plane.query<{ hash: string }>('SELECT hash FROM enroll_token')
    expect(stored.map((t) => t.hash)).not.toContain(late.token)
  })

  it('does not spend a token on a request that it cannot certify', async () => {
    const { token } = await plane.issueToken('clumsy')
    const bad = await stranger().call('POST', AGENT_PATHS.enroll, enrollBody(token, 'not a request'))
    expect(bad).toMatchObject({ status: 400, body: { error: 'invalid_input', errors: [{ path: 'csr' }] } })
    const { csr } = await newRequest()
    expect((await stranger().call('POST', AGENT_PATHS.enroll, enrollBody(token, csr))).status).toBe(200)
  })

  it('tells strangers nothing, nor holders of certificates of another CA', async () => {
    for (const path of [AGENT_PATHS.config, AGENT_PATHS.stream]) {
      expect((await stranger().call('GET', path)).status).toBe(403)
    }
    const node = await plane.enroll('victim')
    const other = await openPlane()
    const foreign = await openCa(other.database.db, createSecrets(Buffer.alloc(32, 7)), { now: () => Date.now() })
    const { keyPem, csr } = await newRequest()
    const { certificate } = await foreign.issueNode(node.id, csr)
    const liar = simNode(plane.port, plane.ca, { keyPem, certificate })
    expect(await liar.call('GET', AGENT_PATHS.config)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    liar.close()
    await other.close()
  })

  it('has nothing behind paths that are none, with a certificate or without', async () => {
    for (const path of [
      '//',
      '/\\',
      `${AGENT_PATHS.download}/%zz`,
      `${AGENT_PATHS.download}/%2e%2e%2fagent.mjs`,
      `${AGENT_PATHS.download}/../download/..`,
    ])
      expect([403, 404], path).toContain((await stranger().call('GET', path)).status)
    for (const path of ['/healthz', '/metrics', '/openapi.json', '/api/sys/user/info', '/admin/'])
      expect((await stranger().call('GET', path)).body, path).toMatchObject({ error: 'forbidden' })
    const node = await plane.enroll('curious')
    for (const path of ['//', '/api/sys/user/info', '/metrics'])
      expect((await node.call('GET', path)).status, path).toBe(404)
    expect((await node.call('GET', AGENT_PATHS.ack)).status).toBe(404)
    node.close()
  })

  it("gives a node its own group's configuration only, and takes answers for it only", async () => {
    await plane.query("INSERT INTO node_group (name, cname_zone) VALUES ('other', 'other.tidegate.test')")
    const [group] = await plane.query<{ id: number }>("SELECT id FROM node_group WHERE name = 'other'")
    const node = await plane.enroll('here')
    const scope = `group:${group?.id}`
    expect((await node.call('GET', `${AGENT_PATHS.config}?since=0&scope=${scope}`)).status).toBe(403)
    expect((await node.ack({ scope, revision: 0 })).status).toBe(403)
    expect((await node.pull(0)).scope).toBe('group:1')
    node.close()
  })

  it('refuses an acknowledgement of a revision that was never sent, and remembers it', async () => {
    const node = await plane.enroll('liar')
    const { revision } = await node.pull(0)
    const lie = await node.ack({ scope: 'group:1', revision: revision + 7 })
    expect(lie).toMatchObject({ status: 409, body: { error: 'conflict' } })
    const info = (await plane.run('node.info', { id: node.id })).data
    expect(info).toMatchObject({ appliedRevision: 0, alerts: ['lying_ack'] })
    const rows = await plane.query("SELECT 1 FROM audit_log WHERE action = 'node.lyingAck' AND target = $1", [
      `node ${node.id}`,
    ])
    expect(rows).toHaveLength(1)
    expect((await node.ack({ scope: 'group:1', revision })).status).toBe(200)
    node.close()
  })

  it('closes the stream of a revoked node at once and refuses all it asks', async () => {
    const node = await plane.enroll('gone')
    const stream = node.stream()
    expect((await stream.next()).done).toBe(false)
    expect((await node.call('GET', AGENT_PATHS.config)).status).toBe(200)
    await plane.run('node.revoke', { id: node.id })
    expect((await stream.next()).done).toBe(true)
    expect(await node.call('GET', AGENT_PATHS.config)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect((await node.call('POST', AGENT_PATHS.renew, { csr: (await newRequest()).csr })).status).toBe(403)
    expect((await plane.run('node.info', { id: node.id })).data.state).toBe('revoked')
    node.close()
  })

  it('renews a certificate; the old one works until the next renewal', async () => {
    const node = await plane.enroll('fresh')
    const renew = async (by: { call: typeof node.call }) => {
      const { keyPem, csr } = await newRequest()
      const { status, body } = await by.call('POST', AGENT_PATHS.renew, { csr })
      expect(status).toBe(200)
      return simNode(plane.port, plane.ca, { keyPem, certificate: String(body.certificate) })
    }
    const second = await renew(node)
    expect((await node.call('GET', AGENT_PATHS.config)).status).toBe(200)
    const third = await renew(second)
    expect((await third.call('GET', AGENT_PATHS.config)).status).toBe(200)
    await until(async () => (await node.call('GET', AGENT_PATHS.config)).status === 403)
    for (const n of [node, second, third]) n.close()
  })

  it('shows state, load and a clock that is off', async () => {
    const node = await plane.enroll('reporter')
    const report = {
      protocol: 1,
      agentVersion: '9.9',
      engineVersion: 'nginx/1',
      time: Date.now() + 5_000,
      revision: 1,
      engineUp: true,
      sites: 3,
      certs: 1,
      load1: 0.5,
      cpus: 2,
      memTotal: 10,
      memFree: 5,
      diskTotal: 100,
      diskFree: 50,
      cacheBytes: 7,
      spoolBytes: 8,
      droppedLines: 9,
      httpPort: 8081,
      httpsPort: 8443,
      alerts: ['low_disk'],
    }
    expect((await plane.run('node.info', { id: node.id })).data.state).toBe('offline')
    const { status, body } = await node.call('POST', AGENT_PATHS.status, report)
    expect(status).toBe(200)
    expect(Math.abs(Number(body.time) - Date.now())).toBeLessThan(2_000)
    const info = await until(async () => {
      const { data } = await plane.run('node.info', { id: node.id })
      return data.state === 'online' && data
    })
    expect(info).toMatchObject({
      agentVersion: '9.9',
      engineUp: true,
      sites: 3,
      httpPort: 8081,
      alerts: ['low_disk', 'clock_skew'],
    })
    expect(info.clockSkew).toBeGreaterThan(4_000)
    node.close()
  })

  it('hands log batches on and says when one came twice', async () => {
    const node = await plane.enroll('logger')
    const batch = { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', counters: [], lines: [], dropped: 0 }
    expect((await node.call('POST', AGENT_PATHS.logs, batch)).body).toEqual({ duplicate: false })
    expect((await node.call('POST', AGENT_PATHS.logs, batch)).body).toEqual({ duplicate: true })
    node.close()
  })

  it('bounds what it reads', async () => {
    const node = await plane.enroll('big')
    expect((await node.call('POST', AGENT_PATHS.status, { text: 'x'.repeat(70_000) })).status).toBe(413)
    expect((await node.call('POST', AGENT_PATHS.ack, { revision: 'no' })).status).toBe(400)
    expect((await node.call('GET', `${AGENT_PATHS.config}?since=-1`)).status).toBe(400)
    node.close()
  })

  it('serves the install files and a command that checks what it runs [N12]', async () => {
    const { data } = await plane.run('node.enrollToken', { name: 'by-hand', groupId: 1 })
    const script = await stranger().call('GET', `${AGENT_PATHS.download}/install.sh`)
    const text = String(script.body.text)
    expect(text).toBe(`echo ${createHash('sha256').update('the agent').digest('hex')}\n`)
    expect(data.command).toContain(createHash('sha256').update(text).digest('hex'))
    expect(data.command).toContain((await plane.plane.node.ca()).sha256)
    expect(data.command).toContain(data.token)
    for (const name of ['..%2Fagent.mjs', '%2Fetc%2Fpasswd', 'missing']) {
      expect((await stranger().call('GET', `${AGENT_PATHS.download}/${name}`)).status).toBe(404)
    }
    await expect(plane.run('node.enrollToken', { name: 'once', groupId: 1 })).rejects.toMatchObject({
      key: 'name_taken',
    })
  })

  it('leaves nothing behind when there is nothing to install', async () => {
    const bare = await openPlane()
    await expect(bare.run('node.enrollToken', { name: 'nowhere', groupId: 1 })).rejects.toMatchObject({
      key: 'unavailable',
    })
    expect(await bare.query("SELECT id FROM node WHERE name = 'nowhere'")).toEqual([])
    expect(await bare.query('SELECT hash FROM enroll_token')).toEqual([])
    await bare.close()
  })

  it('deletes only nodes that are revoked or never came', async () => {
    const node = await plane.enroll('deletable')
    await expect(plane.run('node.delete', { ids: [node.id] })).rejects.toMatchObject({ key: 'in_use' })
    await plane.run('node.revoke', { id: node.id })
    await plane.run('node.delete', { ids: [node.id] })
    expect((await node.call('GET', AGENT_PATHS.config)).status).toBe(403)
    node.close()
  })
})
