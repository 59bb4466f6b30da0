// In the place of the server's bundle: the same handles, no database behind them.
import { randomBytes } from 'node:crypto'
import { appendFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const env = process.env
if (process.argv[2] === 'enroll-token') {
  console.log('a line of log before the answer')
  console.log(
    JSON.stringify({ token: randomBytes(8).toString('hex'), caSha256: 'ab'.repeat(32), agentUrl: 'https://x' }),
  )
  process.exit(0)
}
if (process.argv[2] === 'demo') {
  writeFileSync(
    join(env.TIDEGATE_DATA, 'demo.json'),
    JSON.stringify({ args: process.argv.slice(3), allow: env.TIDEGATE_ALLOW_PRIVATE_ORIGINS }),
  )
  console.log('{}')
  process.exit(0)
}
for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'CLICKHOUSE_URL', 'TIDEGATE_DATA', 'TIDEGATE_RUN_DIR']) {
  if (!env[name]) throw new Error(`${name} is not set`)
}
appendFileSync(join(env.TIDEGATE_DATA, 'server-env.jsonl'), `${JSON.stringify(env)}\n`)
// Like the real one it answers before its ports are written down; by how much, PORTS_LATER says (milliseconds).
const server = createServer((request, response) => response.writeHead(request.url === '/readyz' ? 200 : 404).end())
const nodes = createServer()
nodes.listen(Number(env.TIDEGATE_AGENT_PORT), '127.0.0.1', () => {
  server.listen(Number(env.TIDEGATE_HTTP_PORT), '127.0.0.1', () => {
    const ports = { http: server.address().port, agent: nodes.address().port }
    const write = () => writeFileSync(join(env.TIDEGATE_RUN_DIR, 'ports.json'), JSON.stringify(ports))
    setTimeout(write, Number(env.PORTS_LATER ?? 0))
  })
})
process.on('SIGTERM', () => {
  appendFileSync(join(env.TIDEGATE_DATA, 'stops.txt'), 'server\n')
  process.exit(0)
})
