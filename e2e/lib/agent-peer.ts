/** A peer of the agents' port that may lie: real TLS, real certificates, and whatever it chooses to say. */
import { request } from 'node:https'
import { type AckReport, AGENT_PATHS, AGENT_PROTOCOL } from '@tidegate/contract/node/protocol'
import { certificateRequest, newPrivateKey } from '../../apps/agent/src/identity/keys.ts'
import { fetchPinnedCa } from '../../apps/agent/src/identity/pin.ts'
import type { Invitation } from './remote-node.ts'

export interface Credentials {
  ca: string
  cert?: string
  key?: string
}

export interface Reply {
  /** 0: the connection was refused or broken; `error` is then the connection's. */
  status: number
  error: string
  body: Record<string, unknown>
}

/** One call with these credentials. Never rejects. */
export function say(
  { controlUrl }: Pick<Invitation, 'controlUrl'>,
  credentials: Credentials,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<Reply> {
  return new Promise((resolve) => {
    const call = request(new URL(path, controlUrl), {
      method,
      ...credentials,
      minVersion: 'TLSv1.3',
      agent: false,
      timeout: 10_000,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
    })
    call.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', (error) => resolve({ status: 0, error: error.message, body: {} }))
      response.on('end', () => {
        const parsed = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>
        resolve({ status: response.statusCode ?? 0, error: String(parsed.error ?? ''), body: parsed })
      })
    })
    call.on('timeout', () => call.destroy(new Error('no answer within 10 s')))
    call.on('error', (error) => resolve({ status: 0, error: error.message, body: {} }))
    call.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Opens a node's stream; resolves with its end once the first line has come. */
export function openStream(
  { controlUrl }: Pick<Invitation, 'controlUrl'>,
  credentials: Credentials,
): Promise<{ ended: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const call = request(new URL(AGENT_PATHS.stream, controlUrl), {
      ...credentials,
      minVersion: 'TLSv1.3',
      agent: false,
    })
    call.on('error', reject)
    call.on('response', (response) => {
      const ended = new Promise<void>((over) => {
        response.once('close', over)
      })
      response.once('data', () => resolve({ ended }))
      response.once('end', () => reject(new Error(`the stream ended at once with ${response.statusCode}`)))
    })
    call.end()
  })
}

export interface Enrolled {
  reply: Reply
  credentials: Credentials
}

/** Enrols with the token, without being an agent. `csr` may be of one's own making. */
export async function enrol(invitation: Invitation): Promise<Enrolled> {
  const ca = await fetchPinnedCa(invitation.controlUrl, invitation.caSha256, 10_000)
  const key = await newPrivateKey()
  const reply = await say(invitation, { ca }, 'POST', AGENT_PATHS.enroll, {
    protocol: AGENT_PROTOCOL,
    token: invitation.token,
    csr: await certificateRequest(key),
    hostname: 'liar',
    agentVersion: '0',
    engineVersion: '0',
  })
  return { reply, credentials: { ca, cert: String(reply.body.certificate ?? ''), key } }
}

/** An answer that claims that everything up to a revision is live. */
export const claim = (scope: string, revision: number): AckReport => ({
  scope,
  revision,
  ok: true,
  tried: revision,
  error: '',
  refused: [],
  refusedNow: [],
  totalMs: 1,
  applyMs: 1,
  probed: true,
})
