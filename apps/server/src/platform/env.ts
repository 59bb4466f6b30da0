/** The environment, read once at start, checked and frozen; slices of it are passed on. The names are fixed handles (docs/architecture.md). */
import { createPublicKey } from 'node:crypto'
import { z } from 'zod'

const portValue = z.coerce.number().int().min(0).max(65_535)
const flag = z
  .enum(['0', '1', ''])
  .default('')
  .transform((v) => v === '1')

const isEd25519 = (base64: string): boolean => {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

const schema = z.object({
  DATABASE_URL: z.string().min(1),
  /** Role that owns the schema and runs migrations; the same as DATABASE_URL where there is only one. */
  DATABASE_OWNER_URL: z.string().optional(),
  CLICKHOUSE_URL: z.string().optional(),
  TIDEGATE_DATA: z.string().min(1),
  TIDEGATE_RUN_DIR: z.string().optional(),
  TIDEGATE_CONSOLE_DIR: z.string().optional(),
  TIDEGATE_NODE_FILES: z.string().optional(),
  TIDEGATE_HTTP_PORT: portValue.default(8080),
  TIDEGATE_AGENT_PORT: portValue.default(8444),
  TIDEGATE_BIND: z.string().default('127.0.0.1'),
  TIDEGATE_PUBLIC_URL: z.string().optional(),
  TIDEGATE_TLS_CERT: z.string().optional(),
  TIDEGATE_TLS_KEY: z.string().optional(),
  TIDEGATE_TRUSTED_PROXIES: z.string().default(''),
  TIDEGATE_MASTER_KEY: z.string().optional(),
  /** Of backups that are made or restored by a command. */
  TIDEGATE_BACKUP_PASSPHRASE: z.string().optional(),
  TIDEGATE_ADMIN_PASSWORD: z.string().optional(),
  /** Goes before the setting. */
  TIDEGATE_LOGIN_CAPTCHA: z.enum(['always', 'after-failures', 'off']).optional(),
  TIDEGATE_ALLOW_PRIVATE_ORIGINS: flag,
  /** Bearer token for /metrics from beyond loopback. */
  TIDEGATE_METRICS_TOKEN: z.string().min(16).optional(),
  /** Public keys (Ed25519, SPKI in base64) of those whose license files are accepted, separated by commas. */
  TIDEGATE_LICENSE_KEYS: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((key) => key !== ''))
    .refine((keys) => keys.every(isEd25519), { error: 'must be public keys (Ed25519, SPKI in base64)' }),
  TIDEGATE_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

export type Env = Readonly<z.infer<typeof schema>>

/** Reads and checks the environment; throws an Error that names each wrong variable. */
export const readEnv = (source: Record<string, string | undefined>): Env => {
  const parsed = schema.safeParse(source)
  if (parsed.success) return Object.freeze(parsed.data)
  const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`environment: ${lines.join('; ')}`)
}
