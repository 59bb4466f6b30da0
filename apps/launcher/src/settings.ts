import { createHash } from 'node:crypto'
import { accessSync, constants, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** What the launcher was told, read once. */
export interface Settings {
  /** The project's folder; bundles are in `dist/` below it. */
  root: string
  dataDir: string
  runDir: string
  demo: boolean
  controlPlaneOnly: boolean
  /** Outside stores in the embedded ones' place. */
  databaseUrl: string | undefined
  databaseOwnerUrl: string | undefined
  clickhouseUrl: string | undefined
  adminPassword: string | undefined
  bind: string
  httpPort: string
  agentPort: string
  edgeHttpPort: string
  edgeHttpsPort: string
  /** Where Debian's packages were unpacked; '' means that they are installed on the machine. */
  engineRoot: string
  /** Folder of web pages that the demo origin serves; set by the start script with --demo. */
  demoPages: string | undefined
  /** Everything else is handed on to the server as it is. */
  env: NodeJS.ProcessEnv
}

/** Reads the fixed handles (docs/architecture.md) and the switches; an empty variable counts as unset. */
export function readSettings(root: string, args: readonly string[], env: NodeJS.ProcessEnv): Settings {
  const dataDir = makeFolder(resolve(root, env.TIDEGATE_DATA || 'data'), 0o700)
  return {
    root,
    dataDir,
    runDir: makeRunDir(dataDir),
    demo: args.includes('--demo'),
    controlPlaneOnly: args.includes('--control-plane-only'),
    databaseUrl: env.DATABASE_URL || undefined,
    databaseOwnerUrl: env.DATABASE_OWNER_URL || undefined,
    clickhouseUrl: env.CLICKHOUSE_URL || undefined,
    adminPassword: env.TIDEGATE_ADMIN_PASSWORD || undefined,
    bind: env.TIDEGATE_BIND || '127.0.0.1',
    httpPort: env.TIDEGATE_HTTP_PORT || '8080',
    agentPort: env.TIDEGATE_AGENT_PORT || '8444',
    edgeHttpPort: env.TIDEGATE_EDGE_HTTP_PORT || '8081',
    edgeHttpsPort: env.TIDEGATE_EDGE_HTTPS_PORT || '8443',
    engineRoot: env.TIDEGATE_ENGINE_ROOT || '',
    demoPages: env.TIDEGATE_DEMO_PAGES || undefined,
    env,
  }
}

function makeFolder(dir: string, mode: number): string {
  mkdirSync(dir, { recursive: true, mode })
  accessSync(dir, constants.W_OK | constants.X_OK)
  return realpathSync(dir)
}

/**
 * A short folder for sockets and ports, the same for every start on one data folder. Socket paths are cut off at 107
 * bytes, so it cannot be below a data folder of any length.
 */
function makeRunDir(dataDir: string): string {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 10)
  const uid = process.getuid?.() ?? 0
  const dir = uid === 0 ? `/run/tidegate-${name}` : join(tmpdir(), `tidegate-${uid}-${name}`)
  // Passable, not readable: nginx's workers are another user.
  mkdirSync(dir, { recursive: true, mode: 0o711 })
  const found = lstatSync(dir)
  // In a folder open to all somebody else may have been there first.
  if (!found.isDirectory() || found.uid !== uid || found.mode & 0o022)
    throw new Error(`${dir} belongs to somebody else`)
  return dir
}
