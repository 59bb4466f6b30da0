/** The agent's settings: read from the environment once, checked, frozen. Everything else gets slices as arguments. */
import { isIP } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65535)

const schema = z.object({
  TIDEGATE_NODE_DIR: z.string().startsWith('/'),
  TIDEGATE_RUN_DIR: z.string().startsWith('/'),
  TIDEGATE_CONTROL_URL: z.url({ protocol: /^https$/ }),
  TIDEGATE_CA_SHA256: z.string().regex(/^[0-9a-fA-F]{64}$/),
  TIDEGATE_ENROLL_TOKEN: z.string().default(''),
  TIDEGATE_EDGE_HTTP_PORT: port.default(80),
  TIDEGATE_EDGE_HTTPS_PORT: port.default(443),
  TIDEGATE_BIND: z
    .string()
    .default('127.0.0.1')
    .transform((value) => value.split(',').map((address) => address.trim()))
    .refine((list) => list.every((address) => isIP(address) !== 0), 'IP addresses, separated by commas'),
  TIDEGATE_ENGINE_ROOT: z.string().default(''),
  TIDEGATE_EDGE_DIR: z.string().startsWith('/'),
  TIDEGATE_STOP_ENGINE: z.enum(['0', '1', '']).default(''),
  TIDEGATE_SPOOL_MAX_MB: z.coerce.number().int().min(1).default(256),
  TIDEGATE_CACHE_MAX_MB: z.coerce.number().int().min(16).optional(),
})

export type AgentEnv = Readonly<{
  nodeDir: string
  runDir: string
  controlUrl: string
  /** Lower-case hex SHA-256 of the CA certificate's DER. */
  caSha256: string
  /** Empty once enrolled. */
  enrollToken: string
  /** 0 = choose a free one and remember it. */
  httpPort: number
  httpsPort: number
  /** Addresses to listen on; TIDEGATE_BIND may name several, separated by commas. */
  bind: readonly string[]
  /** Folder into which the engine's packages were unpacked; empty = the system's own. */
  engineRoot: string
  /** Folder that holds lua/. */
  edgeDir: string
  stopEngine: boolean
  spoolMaxBytes: number
  /** The node's own limit for the disk cache; the smaller of it and the group's counts. */
  cacheMaxMb: number | undefined
}>

/** Sockets' paths are cut silently by the kernel's 108 bytes; over 100 bytes is an error here. */
const LONGEST_SOCKET_NAME = '/work/inner.sock'

/** Reads and checks the environment. Throws an Error that names every bad variable, without its value. */
export function readEnv(source: NodeJS.ProcessEnv): AgentEnv {
  const parsed = schema.safeParse(source)
  if (!parsed.success) {
    const names = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`environment: ${names.join('; ')}`)
  }
  const env = parsed.data
  if (Buffer.byteLength(join(env.TIDEGATE_RUN_DIR, LONGEST_SOCKET_NAME)) > 100) {
    throw new Error('environment: TIDEGATE_RUN_DIR: too long for socket paths (100 bytes)')
  }
  return Object.freeze({
    nodeDir: env.TIDEGATE_NODE_DIR,
    runDir: env.TIDEGATE_RUN_DIR,
    controlUrl: env.TIDEGATE_CONTROL_URL.replace(/\/+$/, ''),
    caSha256: env.TIDEGATE_CA_SHA256.toLowerCase(),
    enrollToken: env.TIDEGATE_ENROLL_TOKEN,
    httpPort: env.TIDEGATE_EDGE_HTTP_PORT,
    httpsPort: env.TIDEGATE_EDGE_HTTPS_PORT,
    bind: env.TIDEGATE_BIND,
    engineRoot: env.TIDEGATE_ENGINE_ROOT,
    edgeDir: env.TIDEGATE_EDGE_DIR,
    stopEngine: env.TIDEGATE_STOP_ENGINE === '1',
    spoolMaxBytes: env.TIDEGATE_SPOOL_MAX_MB * 1024 * 1024,
    cacheMaxMb: env.TIDEGATE_CACHE_MAX_MB,
  })
}
