/** The plane on a database of its own, with its agents' port open and its publisher running. */

import { AGENT_PATHS, AGENT_PROTOCOL } from '@tidegate/contract/node/protocol'
import { siteIn } from '@tidegate/contract/operations/site'
import type { TestDatabase } from '@tidegate/testkit/database'
import { createPlane, type PlaneDeps } from '../plane.ts'
import { openBus } from '../platform/bus.ts'
import type { AllHandlers, Caller } from '../platform/caller.ts'
import { systemClock } from '../platform/clock.ts'
import { openDatabase } from '../platform/db.ts'
import { createLog } from '../platform/log.ts'
import type { Role } from '../platform/part.ts'
import { createSecrets } from '../platform/secrets.ts'
import { testDatabase } from './database.ts'
import { newRequest, type SimNode, simNode } from './sim-node.ts'

export const ADMIN: Caller = {
  kind: 'admin',
  id: 1,
  name: 'admin',
  superAdmin: true,
  permissions: new Set(),
  unvalidModel: [],
  sessionId: 1,
  console: 'admin',
  acting: null,
  lang: 'en',
  ip: '127.0.0.1',
  userAgent: 'test',
  requestId: 'r1',
}

export interface EnrolledNode extends SimNode {
  id: number
  name: string
  keyPem: string
  certificate: string
}

interface Options {
  database?: TestDatabase
  roles?: Role[]
  allowPrivateOrigins?: boolean
  nodeFiles?: string
  answerSeconds?: () => number
  seam?: PlaneDeps['seam']
}

/** Opens it. `stop` leaves the database, for another plane on it; `close` drops it. */
export const openPlane = async (options: Options = {}) => {
  const data = options.database ?? (await testDatabase())
  const log = createLog('silent', 'test')
  const database = openDatabase(data.appUrl, () => {})
  const bus = await openBus(data.appUrl, log)
  const batches = new Map<string, number>()
  const plane = createPlane({
    env: {
      TIDEGATE_AGENT_PORT: 0,
      TIDEGATE_ALLOW_PRIVATE_ORIGINS: options.allowPrivateOrigins ?? false,
      TIDEGATE_BIND: '127.0.0.1',
      TIDEGATE_NODE_FILES: options.nodeFiles,
      TIDEGATE_PUBLIC_URL: undefined,
    },
    log,
    clock: systemClock,
    database,
    bus,
    secrets: createSecrets(Buffer.alloc(32, 7)),
    ingest: async (nodeId, batch) => {
      const id = `${nodeId} ${(batch as { id: string }).id}`
      batches.set(id, (batches.get(id) ?? 0) + 1)
      return { duplicate: batches.get(id) !== 1 }
    },
    exchangeProbes: async () => ({ frequency: 60, ports: [], targets: [] }),
    mayAddDomains: async () => {},
    timeZone: () => 'UTC',
    publicUrl: () => undefined,
    answerSeconds: options.answerSeconds ?? (() => 10),
    tellOfCerts: async () => 0,
    defaultLang: async () => 'en',
    seam: options.seam,
  })
  await plane.part.start?.(new Set(options.roles ?? ['api', 'worker', 'ingest']))
  const handlers = plane.part.handlers as AllHandlers
  const port = plane.part.ports?.().agent ?? 0
  const ca = (await plane.node.ca()).certPem
  const never = new AbortController().signal
  const run = <Id extends keyof AllHandlers>(id: Id, input: Parameters<AllHandlers[Id]>[0]) =>
    (handlers[id] as (i: unknown, c: Caller, s: AbortSignal) => ReturnType<AllHandlers[Id]>)(input, ADMIN, never)
  const stop = async () => {
    await plane.part.stop?.()
    await bus.close()
    await database.close()
  }
  /** `again`: a node of this name that is enrolled already. */
  const enroll = async (name: string, group = 1, again = false): Promise<EnrolledNode> => {
    const { token } = await issueToken(name, group, again)
    const { keyPem, csr } = await newRequest()
    const stranger = simNode(port, ca, { keyPem: '', certificate: '' })
    const { status, body } = await stranger.call('POST', AGENT_PATHS.enroll, enrollBody(token, csr))
    stranger.close()
    if (status !== 200) throw new Error(`enrolment: ${JSON.stringify(body)}`)
    const certificate = String(body.certificate)
    return { ...simNode(port, ca, { keyPem, certificate }), id: Number(body.nodeId), name, keyPem, certificate }
  }
  const issueToken = async (name: string, group = 1, replace = false) => {
    let text = ''
    const options = ['--name', name, '--group', String(group), ...(replace ? ['--replace'] : [])]
    await plane.part.commands?.['enroll-token']?.(options, (line) => {
      text = line
    })
    return JSON.parse(text) as { nodeId: number; token: string; caSha256: string; agentUrl: string }
  }
  return {
    data,
    database,
    bus,
    plane,
    handlers,
    port,
    ca,
    run,
    enroll,
    issueToken,
    save: (input: object) =>
      run('site.save', siteIn.parse({ originProtocol: 'http', origins: [{ host: 'origin.example' }], ...input })),
    query: async <T>(text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows as T[],
    stop,
    close: async () => {
      await stop()
      await data.drop()
    },
  }
}
export type TestPlane = Awaited<ReturnType<typeof openPlane>>

export const enrollBody = (token: string, csr: string) => ({
  protocol: AGENT_PROTOCOL,
  token,
  csr,
  hostname: 'edge-1',
  agentVersion: '0.1.0',
  engineVersion: 'nginx/1.22.1',
})

/** Waits until `look` gives something; asks again every few ms. Throws after `limitMs`. */
export const until = async <T>(look: () => Promise<T | undefined | null | false>, limitMs = 60_000): Promise<T> => {
  const deadline = Date.now() + limitMs
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) throw new Error('the condition did not come true in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
