/** Peers of the agents' port that are not what they claim to be, over real TLS. */
import { X509Certificate } from 'node:crypto'
import { AGENT_PATHS } from '@tidegate/contract/node/protocol'
import { freePort } from '@tidegate/embedded/start'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { certificateRequest, newPrivateKey } from '../apps/agent/src/identity/keys.ts'
import { createAuthority } from '../apps/agent/src/testing/authority.ts'
import { type Credentials, claim, type Enrolled, enrol, openStream, say } from './lib/agent-peer.ts'
import { makeRequest } from './lib/certificate.ts'
import { type Invitation, invite, RemoteNode } from './lib/remote-node.ts'
import { sql } from './lib/stores.ts'
import { within } from './lib/wait.ts'
import { Stack } from './stack.ts'

const SCOPE = 'group:1'
let stack: Stack
let invitation: Invitation
let liar: Enrolled
let honest: RemoteNode | undefined

beforeAll(async () => {
  stack = await Stack.startControlPlane({ env: { TIDEGATE_AGENT_PORT: String(await freePort()) } })
  invitation = await invite(stack, 'liar')
  liar = await enrol(invitation)
})
afterAll(async () => {
  await honest?.destroy()
  await stack?.destroy()
})

const nodeRow = async (name: string) => {
  const { data } = await stack.api.call('node.list', {})
  const found = data.list.find((node) => node.name === name)
  if (!found) throw new Error(`no node ${name}`)
  return found
}
const post = (credentials: Credentials, path: string, body: unknown) => say(invitation, credentials, 'POST', path, body)

describe('the port of the nodes', () => {
  it('takes a token once [N12]', async () => {
    expect(liar.reply.status).toBe(200)
    const replayed = await enrol(invitation)
    expect(replayed.reply).toMatchObject({ status: 403, error: 'forbidden' })
    expect(await sql(stack, 'SELECT id FROM node')).toHaveLength(1)
  })

  it('answers nobody without a certificate, nor with one of another authority [N12]', async () => {
    const { id } = await nodeRow('liar')
    const key = await newPrivateKey()
    const foreign = await createAuthority()
    const forged = {
      ca: liar.credentials.ca,
      key,
      cert: await foreign.certify(await certificateRequest(key), id, 60_000),
    }
    for (const credentials of [{ ca: liar.credentials.ca }, forged]) {
      for (const path of [AGENT_PATHS.config, AGENT_PATHS.stream]) {
        const reply = await say(invitation, credentials, 'GET', path)
        expect(reply.status === 0 || reply.status === 403, `${path}: ${reply.status}`).toBe(true)
        expect(reply.body.resources).toBeUndefined()
      }
    }
  })

  it('is refused by an agent that was given another authority, which keeps its token to itself [N12]', async () => {
    const far = await invite(stack, 'careful')
    honest = new RemoteNode({ ...far, caSha256: 'ab'.repeat(32) })
    await honest.start()
    expect(await honest.exitCode()).toBe(1)
    expect(honest.log).toContain('pinned CA')
    // Nobody has used it.
    expect((await enrol(far)).reply.status).toBe(200)
  })

  it('certifies a node as itself whatever its request says, and lets it speak for its own group only [N12]', async () => {
    const [self, other] = [await nodeRow('liar'), await nodeRow('careful')]
    const { csr, keyPem: key } = await makeRequest(`CN=node:${other.id}`)
    const renewed = await post(liar.credentials, AGENT_PATHS.renew, { csr })
    expect(renewed.status).toBe(200)
    const mine = { ca: liar.credentials.ca, cert: String(renewed.body.certificate), key }
    expect(new X509Certificate(mine.cert).subject).toBe(`CN=node:${self.id}`)
    expect((await post(mine, AGENT_PATHS.ack, claim('group:2', 1))).status).toBe(403)
    expect((await say(invitation, mine, 'GET', `${AGENT_PATHS.config}?since=0&scope=group:2`)).status).toBe(403)
    expect(await nodeRow('careful')).toEqual(other)
    liar.credentials = mine
  })

  it('does not believe in a revision that it never sent, and shows who claimed it [N12 N13]', async () => {
    const { data } = await stack.api.call('site.list', {})
    expect(data.totalCount).toBe(0)
    const before = await nodeRow('liar')
    const lie = await post(liar.credentials, AGENT_PATHS.ack, claim(SCOPE, before.desiredRevision + 100))
    expect(lie).toMatchObject({ status: 409, error: 'conflict' })
    const after = await nodeRow('liar')
    expect(after.appliedRevision).toBe(before.appliedRevision)
    expect(after.alerts).toContain('lying_ack')
    const audit = await sql<{ target: string }>(stack, `SELECT target FROM audit_log WHERE action = 'node.lyingAck'`)
    expect(audit).toEqual([{ target: `node ${before.id}` }])
  })

  it('shows a push as outstanding until the node that was told has answered [S7.17]', async () => {
    const origin = { host: '127.0.0.1', port: 9 }
    const { push } = await stack.saveSite('waiting.test', origin)
    const { data } = await stack.api.call('push.feedback', push)
    expect(data.state).toBe('pending')
    expect((await stack.api.call('push.status', { type: 1 })).task_size).toBeGreaterThan(0)
    const lie = await post(liar.credentials, AGENT_PATHS.ack, claim(SCOPE, push.revision))
    expect(lie.status).toBe(409)
    expect((await stack.api.call('push.feedback', push)).data.state).toBe('pending')
  })

  it('is closed to a node at once when it is revoked [N12]', async () => {
    const { id } = await nodeRow('liar')
    expect((await say(invitation, liar.credentials, 'GET', AGENT_PATHS.config)).status).toBe(200)
    const stream = await openStream(invitation, liar.credentials)
    await stack.api.call('node.revoke', { id })
    await within(stream.ended, 'the end of its stream', 5_000)
    for (const path of [AGENT_PATHS.config, AGENT_PATHS.stream]) {
      expect(await say(invitation, liar.credentials, 'GET', path)).toMatchObject({ status: 403, error: 'forbidden' })
    }
    expect(await post(liar.credentials, AGENT_PATHS.ack, claim(SCOPE, 1))).toMatchObject({ status: 403 })
    expect((await nodeRow('liar')).state).toBe('revoked')
  })
})
