/** 1,000 notices through the queue, each a mail by SMTP with TLS to a server on the loopback. Run: node --import tsx bench/notify.bench.ts */
import { performance } from 'node:perf_hooks'
import { testServer } from '../apps/server/src/testing/app.ts'
import { saveConfig } from '../apps/server/src/testing/settings.ts'
import { startSmtpPeer } from '../apps/server/src/testing/smtp-peer.ts'
import { heading, line, startCluster } from './lib/plane.ts'

const COUNT = 1000
const GOAL_S = 60

const end = await startCluster()
const smtp = await startSmtpPeer()
const server = await testServer({}, { peers: { mail: { ca: [smtp.certificate] } } })
const { db, pool } = server.built.context.database
const { host, port } = smtp
const config = { host, port, tls: 'implicit', username: 'sender@example.com', password: 'right-Password' }
await saveConfig(server, 'mail_config', config)
const { send, pump } = server.built.notify

heading(`${COUNT} notices`)
const writes: number[] = []
for (let i = 0; i < COUNT; i++) {
  const at = performance.now()
  await db.transaction((tx) =>
    send(tx, {
      event: 'meal_out',
      to: { channel: 'mail', address: `customer-${i}@example.net` },
      vars: { name: `customer-${i}`, plan: 'CDN', date: '2026-12-31' },
    }),
  )
  writes.push(performance.now() - at)
}
line('into the queue, one transaction each', writes)
const begun = performance.now()
await pump.drain()
const seconds = (performance.now() - begun) / 1000
const { rows } = await pool.query<{ sent: number }>("SELECT count(*) AS sent FROM notice WHERE state = 'sent'")
const arrived = new Set(smtp.mails.map((mail) => mail.to[0])).size
await server.close()
await smtp.close()
await end()
const right = Number(rows[0]?.sent) === COUNT && arrived === COUNT && smtp.mails.length === COUNT
const text = `delivered in ${seconds.toFixed(1)} s, ${(COUNT / seconds).toFixed(0)} a second, ${arrived} addresses, ${smtp.mails.length} mails`
process.stdout.write(`${text}\ngoal ${GOAL_S} s, each once: ${right && seconds <= GOAL_S ? 'met' : 'MISSED'}\n`)
process.exit(right && seconds <= GOAL_S ? 0 : 1)
