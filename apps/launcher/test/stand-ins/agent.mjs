// In the place of the agent's bundle: enrols by taking its token, then says that its engine is up.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const env = process.env
const identity = join(env.TIDEGATE_NODE_DIR, 'identity.json')
if (!existsSync(identity)) {
  if (!env.TIDEGATE_ENROLL_TOKEN) throw new Error('no identity and no token')
  writeFileSync(identity, '{}')
}
appendFileSync(join(env.TIDEGATE_NODE_DIR, 'agent-env.jsonl'), `${JSON.stringify(env)}\n`)
const edge = createServer((request, response) => {
  appendFileSync(join(env.TIDEGATE_NODE_DIR, 'requests.txt'), `${request.headers.host} ${request.url}\n`)
  response.end()
})
edge.listen(0, '127.0.0.1', () => {
  const status = { revision: 1, engineUp: true, agentPid: process.pid, httpPort: edge.address().port, httpsPort: 1 }
  writeFileSync(join(env.TIDEGATE_NODE_DIR, 'status.json'), JSON.stringify(status))
})
process.on('SIGTERM', () => {
  appendFileSync(join(env.TIDEGATE_NODE_DIR, '..', 'stops.txt'), 'agent\n')
  process.exit(0)
})
