/** Metrics of the process itself and of its database pool. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type pg from 'pg'
import { gauge, type Metrics } from './metrics.ts'

/** Adds process, event loop and pool figures; the function it answers stops the sampling. */
export const addProcessMetrics = (metrics: Metrics, pool: pg.Pool): (() => void) => {
  const lag = monitorEventLoopDelay({ resolution: 20 })
  lag.enable()
  const rows: [string, string, () => number][] = [
    ['process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()],
    ['process_heap_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed],
    [
      'process_cpu_seconds',
      'CPU time, user and system.',
      () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    ],
    ['process_uptime_seconds', 'Time since the start.', () => process.uptime()],
    [
      'tidegate_eventloop_lag_p99_seconds',
      'Event loop delay, 99th percentile since the last reading.',
      () => read(lag),
    ],
    ['tidegate_pool_connections', 'Database connections.', () => pool.totalCount],
    ['tidegate_pool_idle', 'Idle database connections.', () => pool.idleCount],
    ['tidegate_pool_waiting', 'Callers that wait for a database connection.', () => pool.waitingCount],
  ]
  for (const [name, help, value] of rows) metrics.add(gauge(name, help, value))
  return () => lag.disable()
}

const read = (lag: ReturnType<typeof monitorEventLoopDelay>) => {
  const value = lag.percentile(99) / 1e9
  lag.reset()
  return Number.isFinite(value) ? value : 0
}
