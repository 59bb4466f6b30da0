/** The built parts at work: started for the roles of this process, and ended in the opposite order. */
import { type Built, buildApp } from './compose.ts'
import { closeContext } from './context.ts'
import { type JobRunner, startJobs } from './platform/jobs.ts'
import type { Role } from './platform/part.ts'
import { addProcessMetrics } from './platform/process-metrics.ts'

export interface Running {
  /** Bound ports by name: http (role api), agent, ... */
  ports: Readonly<Record<string, number>>
  stop(): Promise<void>
}

/** Starts what the roles ask for; `stop` ends it in the opposite order. */
export const start = async (built: Built, roles: ReadonlySet<Role>): Promise<Running> => {
  const { env, log, database, metrics } = built.context
  const endings: (() => Promise<void> | void)[] = [() => closeContext(built.context)]
  endings.push(addProcessMetrics(metrics, database.pool))
  const ports: Record<string, number> = {}
  const stop = async () => {
    for (const end of endings.reverse())
      await Promise.resolve(end()).catch((error: Error) => log.error({ err: error }, 'stopping'))
  }
  try {
    await built.identity.ensureFirstAdmin()
    for (const part of built.parts) {
      await part.start?.(roles)
      if (part.stop) endings.push(part.stop)
      Object.assign(ports, part.ports?.())
    }
    if (roles.has('worker')) {
      const jobs = built.parts.flatMap((part) => part.jobs ?? [])
      const runner: JobRunner = await startJobs({ url: env.DATABASE_URL, jobs, log })
      endings.push(runner.stop)
    }
    if (roles.has('api')) {
      const app = await buildApp(built)
      endings.push(app.stop)
      await app.server.listen({ host: env.TIDEGATE_BIND, port: env.TIDEGATE_HTTP_PORT })
      ports.http = (app.server.server.address() as { port: number }).port
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { ports, stop }
}
