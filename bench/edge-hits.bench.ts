/**
 * Cache hits a second of one edge worker, beside plain nginx as Debian ships it and plain nginx with the edge's own engine
 * settings; one run, interleaved, one core for nginx and the other for the load. Needs wrk and taskset.
 *
 *   npx tsx bench/edge-hits.bench.ts [seconds per measurement, 4] [rounds, 3]
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineItem } from '@tidegate/contract/node/engine'
import { edgeSockets } from '@tidegate/engine-files/edge-layout'
import { freePorts } from '@tidegate/testkit/ports'
import { Edge, keepAll, siteItem } from '../edge/test/harness.ts'
import { ask } from '../edge/test/http-client.ts'
import { Origin } from '../edge/test/origin.ts'
import { waitFor } from '../edge/test/wait.ts'

const SECONDS = Number(process.argv[2] ?? 4)
const ROUNDS = Number(process.argv[3] ?? 3)
const SITES = 10_000
const hostOf = (id: number) => `s${id}.bench.example`

/** Plain nginx that caches for any host: `tuned` with the edge's engine settings and an equally cheap log. */
function plainConf(dir: string, port: number, origin: number, tuned: boolean): string {
  const json = `log_format json escape=json '{"ts":"$msec","rid":"$request_id","host":"$host","ip":"$remote_addr","method":"$request_method","scheme":"$scheme","uri":"$request_uri","proto":"$server_protocol","status":$status,"out":$bytes_sent,"in":$request_length,"cache":"$upstream_cache_status","ms":"$request_time","ua":"$http_user_agent","ref":"$http_referer"}';`
  const settings = tuned
    ? `sendfile off; tcp_nopush off; open_file_cache max=20000 inactive=120s; open_file_cache_valid 120s; keepalive_requests 100000; ${json} access_log ${dir}/access.log json buffer=256k flush=1s;`
    : `sendfile on; tcp_nopush on; gzip on; access_log ${dir}/access.log;`
  return `${process.getuid!() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${dir}/nginx.pid; error_log ${dir}/error.log;
events { worker_connections 4096; }
http { ${settings} ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${dir}/${kind};`).join(' ')}
  proxy_cache_path ${dir}/cache levels=1:2 keys_zone=c:32m inactive=30d use_temp_path=off;
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${origin}; proxy_cache c;
    proxy_cache_key $scheme://$host$request_uri; proxy_cache_valid 200 1h; add_header X-Cache $upstream_cache_status; } } }`
}

interface Plain {
  port: number
  child: ChildProcess
  dir: string
}

async function startPlain(origin: number, tuned: boolean): Promise<Plain> {
  const dir = mkdtempSync(join(tmpdir(), 'tgp-'))
  const [port] = await freePorts(1)
  writeFileSync(join(dir, 'nginx.conf'), plainConf(dir, port!, origin, tuned))
  const child = spawn('/usr/sbin/nginx', ['-e', join(dir, 'error.log'), '-c', join(dir, 'nginx.conf')], {
    stdio: 'ignore',
  })
  await waitFor('plain nginx', () =>
    ask('/', { port: port!, headers: { Host: 'up' } }).then(
      () => true,
      () => false,
    ),
  )
  return { port: port!, child, dir }
}

function pin(pid: number, core: number): void {
  execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'pipe' })
}

/** Nanoseconds that a process has run on a core; unlike requests a second it hardly depends on what else the machine does. */
function runTime(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0])
}

interface Measured {
  perSecond: number
  /** Microseconds of the worker's time for a request. */
  cpu: number
}

/** One wrk run over the given sites. Throws when an answer was not 200. */
async function load(port: number, worker: number, ids: number[], dir: string): Promise<Measured> {
  const script = join(dir, 'load.lua')
  const table = `{${ids.map((id) => `"${hostOf(id)}"`).join(',')}}`
  writeFileSync(
    script,
    `local hosts, requests, i = ${table}, {}, 0
for n, host in ipairs(hosts) do requests[n] = "GET /page.html HTTP/1.1\\r\\nHost: " .. host .. "\\r\\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) bench\\r\\nAccept: */*\\r\\n\\r\\n" end
request = function() i = i % #requests + 1 return requests[i] end\n`,
  )
  const args = ['-c', '1', 'wrk', '-t1', '-c32', `-d${SECONDS}s`, '-s', script, `http://127.0.0.1:${port}`]
  const before = runTime(worker)
  const output = await new Promise<string>((resolve, reject) => {
    const child = spawn('taskset', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    child.on('error', reject)
    child.on('exit', () => resolve(text))
  })
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(output)
  const requests = Number(/(\d+) requests in/.exec(output)![1])
  const cpu = (runTime(worker) - before) / 1000 / requests
  return { perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)![1]), cpu }
}

async function warm(port: number, ids: number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += 50) {
    const asked = ids.slice(at, at + 50).map((id) => ask('/page.html', { port, headers: { Host: hostOf(id) } }))
    await Promise.all(asked)
  }
}

/** Reads the log blocks and acknowledges them, nothing more. */
function drain(path: string): { close: () => void; lines: () => number } {
  let lines = 0
  const server = createServer((socket) => {
    let left = 0
    let head = ''
    let partial = ''
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      let at = 0
      while (at < chunk.length) {
        if (left > 0) {
          const used = Math.min(left, chunk.length - at)
          left -= used
          at += used
          if (left === 0) socket.write(`${head.split(' ')[1]}\n`)
          continue
        }
        const end = chunk.indexOf(10, at)
        partial += chunk.subarray(at, end < 0 ? chunk.length : end).toString()
        if (end < 0) return
        head = partial
        partial = ''
        left = Number(head.split(' ')[2])
        lines += 1
        at = end + 1
      }
    })
  })
  server.listen(path, () => chmodSync(path, 0o666))
  return { close: () => server.close(), lines: () => lines }
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

function report(title: string, peers: { name: string; measured: Measured[] }[]): void {
  const rows = peers.map(({ name, measured }) => ({
    name,
    perSecond: median(measured.map((one) => one.perSecond)),
    cpu: median(measured.map((one) => one.cpu)),
  }))
  const ours = rows[0]!
  console.log(title)
  for (const row of rows) {
    const rate = `${Math.round(row.perSecond)}/s, ${row.cpu.toFixed(2)} us of CPU each`
    const ratio = `edge is ${(ours.perSecond / row.perSecond).toFixed(2)} by rate, ${(row.cpu / ours.cpu).toFixed(2)} by CPU`
    console.log(`  ${row.name}: ${rate}${row === ours ? '' : `; ${ratio}`}`)
  }
}

async function main(): Promise<void> {
  const origin = await new Origin((_, response) => response.end('x'.repeat(1024))).start()
  const edge = await Edge.start({ workers: 1 })
  const plains: Plain[] = []
  try {
    plains.push(await startPlain(origin.port, false), await startPlain(origin.port, true))
    await measure(edge, origin.port, plains[0]!, plains[1]!)
  } finally {
    for (const plain of plains) {
      plain.child.kill('SIGTERM')
      rmSync(plain.dir, { recursive: true, force: true, maxRetries: 5 })
    }
    await edge.destroy()
    await origin.stop()
  }
}

async function measure(edge: Edge, originPort: number, stock: Plain, tuned: Plain): Promise<void> {
  const log = drain(edgeSockets(join(edge.dir, 'r')).log)
  const rules = Array.from({ length: 20 }, (_, n) => ({ type: 'prefix' as const, match: `/dir${n}/`, ttl: 60 }))
  const items: EngineItem[] = [Edge.allowPrivate()]
  for (let id = 1; id <= SITES; id += 1) {
    items.push(siteItem(id, [hostOf(id)], originPort, { cache: { rules: [...(id > 10 ? rules : []), keepAll(3600)] } }))
  }
  const { refused } = await edge.apply(items)
  if (refused.length > 0) throw new Error(JSON.stringify(refused[0]))
  const workerOf = (plain: { child: ChildProcess }) =>
    childrenOf(plain.child.pid!).find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('worker process'))!
  const peers = [
    { name: 'edge', port: edge.httpPort, worker: edge.workers()[0]! },
    { name: 'stock', port: stock.port, worker: workerOf(stock) },
    { name: 'equal settings', port: tuned.port, worker: workerOf(tuned) },
  ]
  for (const peer of peers) pin(peer.worker, 0)
  const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n)
  const spread = range(11, SITES - 11)
    .filter((id) => id % 3 === 0)
    .slice(0, 3000)
  for (const [name, ids] of [
    ['10 sites, one rule', range(1, 10)],
    ['10 sites of 20 rules', range(11, 10)],
    ['spread over 3,000 sites', spread],
  ] as const) {
    const results: Measured[][] = peers.map(() => [])
    for (const peer of peers) await warm(peer.port, ids)
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [at, peer] of peers.entries()) results[at]!.push(await load(peer.port, peer.worker, ids, edge.dir))
    }
    report(
      name,
      peers.map((peer, at) => ({ name: peer.name, measured: results[at]! })),
    )
  }
  log.close()
}

function childrenOf(pid: number): number[] {
  return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)])
    .toString()
    .trim()
    .split(/\s+/)
    .map(Number)
}

await main()
