/** The agent put together: every part is built here and gets what it needs as arguments. */
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { tunablesOf } from '@tidegate/contract/node/tunables'
import { enginePaths } from '@tidegate/engine-files/engine-root'
import { createApplier } from './config/applier.ts'
import { allowancesOf, type OriginAlerts } from './config/plan.ts'
import { openStore } from './config/store.ts'
import { createAckSender } from './control/acks.ts'
import { createControlClient } from './control/client.ts'
import { createLink } from './control/link.ts'
import { pause } from './control/pause.ts'
import { createPuller } from './control/puller.ts'
import { runStream } from './control/stream.ts'
import { createEngineAdmin } from './engine/admin.ts'
import { renderConf } from './engine/conf.ts'
import { engineLayout, makeEngineDirs, workerOwner } from './engine/layout.ts'
import { choosePorts, ensureDefaultCertificate, ensureProbeSecret } from './engine/material.ts'
import { probeUntil } from './engine/probe.ts'
import { createSupervisor, type Supervisor } from './engine/supervisor.ts'
import { readEngineVersion } from './engine/version.ts'
import type { AgentEnv } from './env.ts'
import { establishIdentity, keepRenewed } from './identity/establish.ts'
import { errorText, type Log } from './log.ts'
import { openIntake } from './logs/intake.ts'
import { listenForLogs } from './logs/listener.ts'
import { createShipper } from './logs/shipper.ts'
import { openSpool } from './logs/spool.ts'
import { runProber } from './probes/prober.ts'
import { createQuestions } from './questions/answer.ts'
import { digger } from './questions/dig.ts'
import { memoryReader } from './questions/memory.ts'
import { prober } from './questions/probe.ts'
import { createHostsFile } from './resolve/hosts-file.ts'
import { createLookup } from './resolve/lookup.ts'
import { createResolver, originNames } from './resolve/resolver.ts'
import { takeNodeDir } from './single.ts'
import { createStatus } from './status/status.ts'

const RELOCATE_MS = 5_000
const HOUSEKEEPING_MS = 60_000
/** Of the spool's bound, for journals and for counters of batches whose lines no longer fit. */
const SPOOL_RESERVE = 0.9

export type AgentOptions = Readonly<{ env: AgentEnv; agentVersion: string; log: Log; signal: AbortSignal }>

/** Calls `work` every `ms` until `signal` aborts; a failure is logged and does not stop it. */
async function every(ms: number, signal: AbortSignal, log: Log, name: string, work: () => Promise<void>) {
  while (!signal.aborted) {
    await pause(ms, signal)
    if (!signal.aborted) await work().catch((error) => log.warn(`${name}_failed`, { error: errorText(error) }))
  }
}

/** An address at which the engine of this node can be asked from here. */
function ownHost([first = '127.0.0.1']: readonly string[]): string {
  if (first === '0.0.0.0') return '127.0.0.1'
  return first === '::' ? '::1' : first
}

/** Runs the agent until `signal` aborts. Rejects when it cannot start; the caller ends the process then. */
export async function runAgent({ env, agentVersion, log, signal }: AgentOptions): Promise<void> {
  await mkdir(env.nodeDir, { recursive: true, mode: 0o711 })
  // The engine's workers, who are nobody when the master is root, walk through here to the cache.
  if (process.getuid?.() === 0) await chmod(env.nodeDir, 0o711)
  await takeNodeDir(env.nodeDir)
  const engine = enginePaths(env.engineRoot)
  const engineVersion = await readEngineVersion(engine)
  const layout = engineLayout(env.nodeDir, env.runDir)
  const admin = createEngineAdmin(layout.sockets.admin)
  let onEngineUp = () => {}
  const supervisor: Supervisor = createSupervisor({ engine, layout, admin, log, onUp: () => onEngineUp() })

  const { nodeDir, controlUrl, caSha256, enrollToken: token } = env
  const stopEngine = supervisor.stop
  const order = { nodeDir, controlUrl, caSha256, token, agentVersion, engineVersion, log, signal, stopEngine }
  const current = { identity: await establishIdentity(order) }
  const link = createLink()
  const client = createControlClient(controlUrl, current.identity, link)

  await makeEngineDirs(layout)
  await ensureDefaultCertificate(layout)
  const secret = await ensureProbeSecret(layout)
  const wanted = { httpPort: env.httpPort, httpsPort: env.httpsPort }
  const ports = await choosePorts(nodeDir, wanted, env.bind[0] ?? '127.0.0.1', await supervisor.runs())
  const store = await openStore(nodeDir, log)
  const tunables = () => tunablesOf(store.snapshot.settings()?.body.tunables)
  const conf = () =>
    renderConf({
      engine,
      layout,
      edgeDir: env.edgeDir,
      ports,
      bind: env.bind,
      groupCacheMb: store.snapshot.settings()?.body.cacheMaxMb,
      nodeCacheMb: env.cacheMaxMb,
      tunables: tunables(),
    })

  const lookup = createLookup(createHostsFile('/etc/hosts'))
  const resolver = createResolver(lookup)
  for (const site of store.snapshot.sites()) {
    const names = new Set(originNames(site.body))
    site.body.origin.servers.forEach(({ host }, index) => {
      if (names.has(host)) resolver.seed(host, site.addresses[index] ?? [])
    })
  }
  const applier = createApplier({
    store,
    admin,
    resolver,
    probe: (revision, ms) => probeUntil({ host: '127.0.0.1', port: ports.httpPort, secret }, revision, ms),
    log,
  })

  const spool = await openSpool(join(nodeDir, 'spool'))
  const spoolFull = () => spool.bytes() > env.spoolMaxBytes * SPOOL_RESERVE
  const shipper = createShipper(client, link, spool, log)
  let lowDisk = () => false
  const intake = await openIntake({
    dir: join(nodeDir, 'spool'),
    spool,
    roomForLines: () => !spoolFull() && !lowDisk(),
    onSealed: shipper.wake,
    logPercent: () => tunables().logPercent,
    log,
  })
  const listener = await listenForLogs(layout.sockets.log, workerOwner(layout), intake, log)

  let pulled = false
  let origins: OriginAlerts = { unresolved: [], private: [] }
  const acks = createAckSender(client, link, log)
  const puller = createPuller({
    client,
    link,
    store,
    applier,
    onReport: (report) => {
      acks.send(report)
      void status.write()
      void supervisor.reconfigure(conf()).catch((error) => log.error('reconfigure_failed', { error: errorText(error) }))
    },
    onPulled: () => {
      pulled = true
    },
    log,
  })
  const status = createStatus({
    nodeDir,
    cacheDir: layout.cacheDir,
    agentVersion,
    engineVersion,
    ports,
    store,
    link,
    identity: () => current.identity,
    engineUp: supervisor.isUp,
    spool: { bytes: spool.bytes, full: spoolFull },
    droppedLines: intake.droppedLines,
    pulled: () => pulled,
    origins: () => origins,
    client,
    log,
    onBehind: puller.wake,
  })
  lowDisk = status.lowDisk
  const allowed = () => allowancesOf(store.snapshot.settings()?.body)
  const own = { host: ownHost(env.bind), ports }
  const questions = createQuestions(
    { memory: memoryReader(admin), dig: digger({ allowed }), probe: prober({ allowed, lookup, own }) },
    client,
    log,
  )

  onEngineUp = () => {
    void status.write()
    applier
      .reconcile()
      .catch((error) => log.error('reconcile_failed', { error: errorText(error) }))
      .finally(puller.wake)
  }
  await supervisor.start(conf()).catch((error) => log.error('engine_start_failed', { error: errorText(error) }))
  await status.write()
  if (store.revision() > 0) acks.send(applier.standing())

  await Promise.all([
    supervisor.watch(signal),
    runStream({
      ...{ client, link, log, signal },
      onEvent: (event) => {
        if (event.type === 'revision') puller.tell()
        else if (event.type === 'question') questions.take(event)
      },
    }),
    puller.run(signal),
    acks.run(signal),
    shipper.run(signal),
    status.run(signal),
    runProber({ client, link, log, own, signal }),
    keepRenewed(nodeDir, current, client, link, log, signal),
    every(RELOCATE_MS, signal, log, 'relocate', async () => {
      origins = await applier.relocate()
    }),
    every(HOUSEKEEPING_MS, signal, log, 'housekeeping', supervisor.rotateErrorLog),
  ])

  // The engine's workers hand over what they have while they end, so the listener goes last.
  if (env.stopEngine) await supervisor.stop()
  await listener.close()
  await intake.close()
  await status.write()
  await client.close()
  await admin.close()
}
