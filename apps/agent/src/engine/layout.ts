/** Where the engine's files lie on this node, and who may walk there. */
import { readFileSync, statSync } from 'node:fs'
import { chmod, chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chooseWorkerUser, type EdgeSockets, edgeDirs, edgeSockets } from '@tidegate/engine-files/edge-layout'
import { stateDir } from '../config/state-files.ts'

export type EngineLayout = Readonly<{
  runtimeDir: string
  stateDir: string
  cacheDir: string
  tempDir: string
  confPath: string
  errorLog: string
  pidFile: string
  defaultCert: string
  defaultKey: string
  probeSecretFile: string
  sockets: EdgeSockets
  workerUser: 'nobody' | 'root' | null
}>

function modeOf(path: string): number | null {
  try {
    return statSync(path).mode
  } catch {
    return null
  }
}

export function engineLayout(nodeDir: string, runDir: string): EngineLayout {
  const cacheDir = join(nodeDir, 'cache')
  const tempDir = join(nodeDir, 'temp')
  const sockets = edgeSockets(runDir)
  return {
    runtimeDir: runDir,
    stateDir: stateDir(nodeDir),
    cacheDir,
    tempDir,
    confPath: join(nodeDir, 'engine', 'nginx.conf'),
    errorLog: join(nodeDir, 'engine', 'error.log'),
    pidFile: join(nodeDir, 'engine', 'master.json'),
    defaultCert: join(nodeDir, 'engine', 'default.crt'),
    defaultKey: join(nodeDir, 'engine', 'default.key'),
    probeSecretFile: join(nodeDir, 'engine', 'probe.secret'),
    sockets,
    workerUser: chooseWorkerUser(process.getuid?.() ?? 0, [runDir, cacheDir, tempDir], modeOf),
  }
}

export type Owner = Readonly<{ uid: number; gid: number }>

/** Numeric ids of the workers' user; undefined when the workers run as the agent itself. */
export function workerOwner(layout: EngineLayout): Owner | undefined {
  if (layout.workerUser !== 'nobody') return undefined
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined || gid === undefined ? { uid: 65534, gid: 65534 } : { uid: Number(uid), gid: Number(gid) }
}

/** Makes the folders with the modes and owners that the engine needs. */
export async function makeEngineDirs(layout: EngineLayout): Promise<void> {
  const owner = workerOwner(layout)
  for (const dir of edgeDirs(layout)) {
    await mkdir(dir.path, { recursive: true, mode: dir.mode })
    await chmod(dir.path, dir.mode)
    if (dir.owner === 'worker' && owner !== undefined) await chown(dir.path, owner.uid, owner.gid)
  }
  await mkdir(join(layout.confPath, '..'), { recursive: true, mode: 0o700 })
}
