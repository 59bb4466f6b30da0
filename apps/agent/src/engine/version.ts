/** The engine's own version, e.g. "nginx/1.22.1". */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { EnginePaths } from '@tidegate/engine-files/engine-root'

/** Runs `nginx -v`. Rejects when the engine is not installed or cannot be run. */
export async function readEngineVersion(engine: EnginePaths): Promise<string> {
  const { stderr } = await promisify(execFile)(engine.nginx, ['-v'], { env: { ...engine.env } })
  return /nginx\/[\w.-]+/.exec(stderr)?.[0].slice(0, 40) ?? 'nginx'
}
