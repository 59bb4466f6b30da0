import { execSync, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { enginePaths, nginxCommand } from '@tidegate/engine-files/engine-root'
import { createServer } from 'node:net'
import { edgeSockets } from '@tidegate/engine-files/edge-layout'
import { Edge, keepAll, siteItem } from '../edge/test/harness.ts'
import { ask } from '../edge/test/http-client.ts'
import { Origin } from '../edge/test/origin.ts'
import { waitFor } from '../edge/test/wait.ts'
const N = 3000
const SITES = Number(process.env.SITES ?? 10)
const hostOf = (id: number) => `s${id}.bench.example`
const origin = await new Origin((_, r) => r.end('x'.repeat(1024))).start()
const edge = await Edge.start({ workers: 1, over: { workerUser: 'root', ...(process.env.LUA ? { luaDir: process.env.LUA } : {}) } })
const e = edge as any
await edge.end('SIGQUIT')
const command = nginxCommand(e.params.engine, { conf: join(edge.dir, 'nginx.conf'), errorLog: join(edge.dir, 'error.log'), runtimeDir: join(edge.dir, 'r') }, 'start')
for (const p of [edgeSockets(join(edge.dir, 'r')).admin, edgeSockets(join(edge.dir, 'r')).inner]) execSync(`rm -f ${p}`)
execSync('rm -f /tmp/cg.out*')
const child = spawn('valgrind', ['-q', '--tool=callgrind', '--dump-line=no', '--callgrind-out-file=/tmp/cg.out.%p', command.file, ...command.args], { cwd: command.cwd, env: { ...process.env, ...command.env }, stdio: ['ignore', 'ignore', 'inherit'] })
await waitFor('nginx', () => edge.status().then(() => true, () => false))
e.child = child
const items: any[] = [Edge.allowPrivate()]
for (let id = 1; id <= SITES; id++) items.push(siteItem(id, [hostOf(id)], origin.port, { cache: { rules: [keepAll(3600)] } }))
await edge.apply(items)
for (let id = 1; id <= Math.min(SITES, 10); id++) await ask('/page.html', { port: edge.httpPort, headers: { Host: hostOf(id) } })
const lua = join(edge.dir, 'load.lua')
const { writeFileSync } = await import('node:fs')
writeFileSync(lua, `local requests, i = {}, 0
for n = 1, 10 do requests[n] = "GET /page.html HTTP/1.1\\r\\nHost: s" .. n .. ".bench.example\\r\\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) bench\\r\\nAccept: */*\\r\\n\\r\\n" end
request = function() i = i % #requests + 1 return requests[i] end\n`)
const wrk = (s: number) => Number(/(\d+) requests in/.exec(execSync(`wrk -t1 -c32 -d${s}s -s ${lua} http://127.0.0.1:${edge.httpPort}`).toString())![1])
const drainer = createServer((socket) => { let left = 0, head = '', partial = ''; socket.on('error', () => socket.destroy()); socket.on('data', (c: Buffer) => { let at = 0; while (at < c.length) { if (left > 0) { const u = Math.min(left, c.length - at); left -= u; at += u; if (left === 0) socket.write(`${head.split(' ')[1]}\n`); continue } const end = c.indexOf(10, at); partial += c.subarray(at, end < 0 ? c.length : end).toString(); if (end < 0) return; head = partial; partial = ''; at = end + 1; left = Number(head.split(' ')[2]) } }) })
const worker = Number(execSync(`ps -o pid= --sort=-time --ppid ${child.pid} | head -1`).toString())
const n = wrk(Number(process.env.SEC ?? 10))
console.log('requests', n, 'worker', worker)
await edge.end('SIGTERM')
const files = readdirSync('/tmp').filter((f) => f.startsWith(`cg.out.${worker}`))
for (const f of files) { const t = execSync(`callgrind_annotate /tmp/${f} 2>/dev/null | head -60`).toString(); const total = /([\d,]+) \(100.0%\)/.exec(t); if (total) { const all = Number(total[1]!.replaceAll(',', '')); if (all > 1e6) { console.log(f, 'instructions per request', Math.round(all / n)); console.log(t.split('\n').slice(15, Number(process.env.TOP ?? 15)).map((l) => l.slice(0, 150)).join('\n')) } } }
drainer.close()
await edge.destroy()
await origin.stop()
process.exit(0)
