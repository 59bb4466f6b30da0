/** /healthz, /readyz, /metrics: for supervisors and monitors, not for consoles. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import type { Metrics } from '../platform/metrics.ts'

/** A condition of readiness: null when it holds, else why not. */
export interface Check {
  name: string
  run(): Promise<string | null>
}

const CHECK_TIMEOUT_MS = 3_000

const runCheck = async (check: Check): Promise<[string, string]> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), CHECK_TIMEOUT_MS)
  })
  try {
    return [check.name, (await Promise.race([check.run(), late])) ?? 'ok']
  } catch (error) {
    return [check.name, error instanceof Error ? error.message : 'failed']
  } finally {
    clearTimeout(timer)
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const LOOPBACK = /^(?:::1|127\.\d+\.\d+\.\d+|::ffff:127\.\d+\.\d+\.\d+)$/

/** Loopback without a proxy in between, or the bearer token: who may see figures and why something is not ready. */
const isTrusted = (request: FastifyRequest, token: string | undefined): boolean => {
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (token && bearer) return timingSafeEqual(digest(bearer), digest(token))
  const proxied = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((h) => request.headers[h] !== undefined)
  return !proxied && LOOPBACK.test(request.socket.remoteAddress ?? '')
}

export interface HealthDeps {
  checks: readonly Check[]
  metrics: Metrics
  metricsToken?: string | undefined
}

export const mountHealth = (app: FastifyInstance, deps: HealthDeps, stopping: AbortSignal): void => {
  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    const results = await Promise.all(deps.checks.map(runCheck))
    const ready = !stopping.aborted && results.every(([, text]) => text === 'ok')
    // What an error says may name hosts, users and tables.
    const shown = isTrusted(request, deps.metricsToken)
      ? results
      : results.map(([name, text]) => [name, text === 'ok' ? 'ok' : 'not ok'])
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(shown) })
  })
  app.get('/metrics', (request, reply) => {
    if (!isTrusted(request, deps.metricsToken)) throw new AppError('forbidden')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(deps.metrics.render())
  })
}
