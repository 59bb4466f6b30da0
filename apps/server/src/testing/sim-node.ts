/** A node as the control plane sees it: real TLS, real certificates, the real protocol; only the engine is left out. */
import { generateKeyPairSync } from 'node:crypto'
import { type Agent, Agent as HttpsAgent, request } from 'node:https'
import { gunzipSync } from 'node:zlib'
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509'
import type { ConfigDelta } from '@tidegate/contract/node/config'
import { type AckReport, AGENT_PATHS, type StreamEvent } from '@tidegate/contract/node/protocol'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

export interface Credentials {
  keyPem: string
  /** PEM; empty = none. */
  certificate: string
}

/** A fresh key and a request signed by it. `subject` is what a node would like to be. */
export const newRequest = async (subject = 'CN=whoever'): Promise<{ keyPem: string; csr: string }> => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const load = (der: Buffer, type: 'pkcs8' | 'spki', use: 'sign' | 'verify') =>
    webcrypto.subtle.importKey(type, der, ALGORITHM, true, [use])
  const keys = {
    privateKey: await load(pair.privateKey.export({ format: 'der', type: 'pkcs8' }), 'pkcs8', 'sign'),
    publicKey: await load(pair.publicKey.export({ format: 'der', type: 'spki' }), 'spki', 'verify'),
  }
  const csr = await Pkcs10CertificateRequestGenerator.create(
    { name: subject, keys, signingAlgorithm: ALGORITHM },
    webcrypto as Crypto,
  )
  return { keyPem: pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), csr: csr.toString('pem') }
}

export interface Answer {
  status: number
  body: Record<string, unknown>
}

export interface SimNode {
  call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer>
  pull(since: number): Promise<ConfigDelta>
  ack(report: Partial<AckReport> & { scope: string; revision: number }): Promise<Answer>
  /** Events of a stream until it ends. */
  stream(): AsyncGenerator<StreamEvent>
  close(): void
}

export const simNode = (port: number, ca: string, credentials: Credentials): SimNode => {
  const agent: Agent = new HttpsAgent({
    keepAlive: true,
    ca,
    key: credentials.certificate ? credentials.keyPem : undefined,
    cert: credentials.certificate || undefined,
    minVersion: 'TLSv1.3',
  })
  const open = (method: string, path: string) =>
    request({
      host: '127.0.0.1',
      port,
      servername: 'localhost',
      method,
      path,
      agent,
      headers: { 'accept-encoding': 'gzip' },
    })
  const call = (method: 'GET' | 'POST', path: string, body?: unknown) =>
    new Promise<Answer>((resolve, reject) => {
      const outgoing = open(method, path)
      outgoing.on('error', reject)
      outgoing.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const raw = Buffer.concat(chunks)
          const text = response.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
          const isJson = String(response.headers['content-type']).includes('json')
          resolve({
            status: response.statusCode ?? 0,
            body: isJson ? JSON.parse(text.toString()) : { text: text.toString() },
          })
        })
      })
      outgoing.end(body === undefined ? undefined : JSON.stringify(body))
    })
  return {
    call,
    pull: async (since) => (await call('GET', `${AGENT_PATHS.config}?since=${since}`)).body as unknown as ConfigDelta,
    ack: (report) => call('POST', AGENT_PATHS.ack, fullAck(report)),
    async *stream() {
      const outgoing = open('GET', AGENT_PATHS.stream).end()
      const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
        outgoing.on('response', resolve)
        outgoing.on('error', reject)
      })
      response.on('error', () => {})
      try {
        let rest = ''
        for await (const chunk of response as AsyncIterable<Buffer>) {
          const lines = (rest + chunk.toString()).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) yield JSON.parse(line) as StreamEvent
        }
      } finally {
        outgoing.destroy()
      }
    },
    close: () => agent.destroy(),
  }
}

export const fullAck = (report: Partial<AckReport> & { scope: string; revision: number }): AckReport => ({
  ok: true,
  tried: report.revision,
  error: '',
  refused: [],
  refusedNow: [],
  totalMs: 5,
  applyMs: 1,
  probed: true,
  ...report,
})
