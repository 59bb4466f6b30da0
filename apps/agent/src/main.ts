/** Entry of the node agent. Crash-only but for SIGTERM and SIGINT: whoever started it starts it again. */
import manifest from '../package.json' with { type: 'json' }
import { runAgent } from './agent.ts'
import { readEnv } from './env.ts'
import { createLog, errorText } from './log.ts'

const log = createLog((line) => process.stdout.write(line))
const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    log.info('stopping', { signal })
    stop.abort()
  })
}

try {
  const env = readEnv(process.env)
  await runAgent({ env, agentVersion: manifest.version, log, signal: stop.signal })
  log.info('stopped')
  process.exit(0)
} catch (error) {
  log.error('agent_failed', { error: errorText(error) })
  process.exit(1)
}
