/** Puts the parts together that bring configuration to nodes: sites, certificates, purges, publish, nodes and the agents' port. */
import type { Lang } from '@tidegate/contract/enums'
import { type AgentPort, openAgentPort } from './agent-port/server.ts'
import { createCertModule, type Resolve, type TellOfCerts } from './modules/cert/index.ts'
import type { ExchangeProbes } from './modules/monitor/index.ts'
import { type Ca, createNodeModule, openCa } from './modules/node/index.ts'
import { createPublishModule, type PublishModuleDeps } from './modules/publish/index.ts'
import { createPurgeModule } from './modules/purge/index.ts'
import { bindCert, createSiteModule } from './modules/site/index.ts'
import type { Bus } from './platform/bus.ts'
import type { Clock } from './platform/clock.ts'
import type { Database, Queryable } from './platform/db.ts'
import type { Env } from './platform/env.ts'
import type { Log } from './platform/log.ts'
import type { Part } from './platform/part.ts'
import type { Secrets } from './platform/secrets.ts'
import { taskKind } from './platform/task.ts'

export interface PlaneDeps {
  env: Pick<
    Env,
    | 'TIDEGATE_AGENT_PORT'
    | 'TIDEGATE_ALLOW_PRIVATE_ORIGINS'
    | 'TIDEGATE_BIND'
    | 'TIDEGATE_NODE_FILES'
    | 'TIDEGATE_PUBLIC_URL'
  >
  log: Log
  clock: Clock
  database: Database
  bus: Bus
  secrets: Secrets
  /** Stores a batch of a node's log (modules/ingest). */
  ingest(nodeId: number, batch: unknown): Promise<{ duplicate: boolean }>
  /** Takes an agent's probes of other nodes (modules/monitor). */
  exchangeProbes: ExchangeProbes
  /** See `SiteModuleDeps`. */
  mayAddDomains(on: Queryable, customerId: number): Promise<void>
  /** IANA name. */
  timeZone: () => string
  /** The installation's own address at present; nodes know it by the one it was started with. */
  publicUrl: () => string | undefined
  /** See `NodeModuleDeps`. */
  answerSeconds: () => number
  tellOfCerts: TellOfCerts
  defaultLang(): Promise<Lang>
  /** What DNS says; tests put their own in. */
  resolve?: Resolve | undefined
  seam?: PublishModuleDeps['seam']
}

/** Builds the modules and the part; nothing is asked of the database before the part is started or used. */
export const createPlane = (deps: PlaneDeps) => {
  const { env, log, clock, database, bus, secrets } = deps
  const { db } = database
  const allowPrivateOrigins = env.TIDEGATE_ALLOW_PRIVATE_ORIGINS
  const host = env.TIDEGATE_PUBLIC_URL ? new URL(env.TIDEGATE_PUBLIC_URL).hostname : localHost(env.TIDEGATE_BIND)
  let port: AgentPort | undefined
  const agentUrl = () => `https://${host}:${port?.port ?? env.TIDEGATE_AGENT_PORT}`

  const publish = createPublishModule({ database, bus, clock, log, secrets, allowPrivateOrigins, seam: deps.seam })
  const { withConfigChange } = publish
  const site = createSiteModule({ db, clock, withConfigChange, allowPrivateOrigins, mayAddDomains: deps.mayAddDomains })
  const cert = createCertModule({
    ...{ database, withConfigChange, secrets, clock, log, timeZone: deps.timeZone },
    publicUrl: deps.publicUrl,
    tell: deps.tellOfCerts,
    defaultLang: deps.defaultLang,
    answersTo: publish.answersTo,
    bindCert,
    ...(deps.resolve && { resolve: deps.resolve }),
  })
  const { feedbackOfChange, totalsOfChanges } = publish
  const purge = createPurgeModule({ db, withConfigChange, feedbackOfChange, totalsOfChanges })
  let opened: Promise<Ca> | undefined
  const ca = () => {
    opened ??= openCa(db, secrets, clock)
    return opened
  }
  const nodeFilesDir = env.TIDEGATE_NODE_FILES
  const { answerSeconds } = deps
  const node = createNodeModule({
    database,
    bus,
    withConfigChange,
    clock,
    log,
    ca,
    nodeFilesDir,
    agentUrl,
    answerSeconds,
  })
  const openPort = async () =>
    openAgentPort(
      {
        ...node,
        ca: await ca(),
        log,
        clock,
        deltas: publish.deltas,
        acks: publish.acks,
        ingest: deps.ingest,
        exchangeProbes: deps.exchangeProbes,
      },
      {
        bind: env.TIDEGATE_BIND,
        port: env.TIDEGATE_AGENT_PORT,
        names: [host.replace(/^\[|\]$/g, ''), env.TIDEGATE_BIND],
      },
    )

  const part: Part = {
    name: 'plane',
    handlers: { ...publish.handlers, ...site.handlers, ...cert.handlers, ...purge.handlers, ...node.handlers },
    exports: [...site.exports, ...node.exports],
    jobs: cert.jobs,
    commands: { ...site.commands, ...node.commands },
    tasks: [
      ...cert.tasks,
      taskKind({
        kind: 'publish.retention',
        title: { zh: '清理推送记录', en: 'Push history clean-up' },
        about: { zh: '删除节点不再需要的旧配置版本', en: 'Deletes old versions of configuration that no node needs.' },
        cron: '17 3 * * *',
        timeout: 1800,
        run: async () => ({ ...(await publish.retention(clock.now())) }),
      }),
      taskKind({
        kind: 'purge.retention',
        title: { zh: '清理缓存刷新记录', en: 'Purge history clean-up' },
        about: { zh: '删除一年以前的缓存刷新记录', en: 'Deletes purges that are older than a year.' },
        cron: '47 3 * * *',
        run: async () => ({ removed: await purge.retention(clock.now()) }),
      }),
    ],
    start: async (roles) => {
      if (roles.has('worker')) await publish.publisher.start()
      if (roles.has('ingest')) port = await openPort()
    },
    stop: async () => {
      await port?.close()
      await publish.publisher.stop()
      await node.close()
      await publish.close()
    },
    ports: (): Readonly<Record<string, number>> => (port ? { agent: port.port } : {}),
  }
  /** Those of the sites that a node may have counted requests for. */
  const servedSites = async (nodeId: number, sites: readonly number[]): Promise<ReadonlySet<number>> => {
    const scope = await node.auth.scopeOf(nodeId)
    return scope === undefined ? new Set() : publish.servedSites({ id: nodeId, scope }, sites)
  }
  return { part, publish, site, cert, purge, node, servedSites, agentUrl, streams: () => port?.streams() ?? 0 }
}
export type Plane = ReturnType<typeof createPlane>

/** An address to connect to, for one that is only good for listening. */
const localHost = (bind: string): string => {
  if (bind === '0.0.0.0' || bind === '::') return '127.0.0.1'
  return bind.includes(':') ? `[${bind}]` : bind
}
