/**
 * How long `npm start` takes until everything runs and the local node is green: with an empty data folder (nothing to download or to build),
 * and again on the folder of the run before. Wall time, and the processor time of all its processes until then.
 * Run: node --import tsx bench/start.bench.ts [fresh starts] [warm starts]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { percentile } from './lib/plane.ts'

const FRESH = Number(process.argv[2] ?? 3)
const WARM = Number(process.argv[3] ?? 7)
const GOAL_MS = 5_000
const LIMIT_MS = 200_000
/** Of /proc/PID/stat. */
const TICK_MS = 10
const RUNNING = 'running; Ctrl-C stops everything'
const ROOT = join(import.meta.dirname, '..')

/** Parent and processor time (its own and that of its ended children, ms) of each process. */
const processes = () => {
  const found = new Map<number, { parent: number; ms: number }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
        .map(Number)
      const ms = fields.slice(11, 15).reduce((a, b) => a + b, 0) * TICK_MS
      found.set(Number(name), { parent: fields[1] ?? 0, ms })
    } catch {
      // It ended meanwhile.
    }
  }
  return found
}

/** Processor time of a process and everything below it. */
const spentBelow = (top: number): number => {
  const all = processes()
  const under = (pid: number): boolean => pid === top || (all.has(pid) && under(all.get(pid)?.parent ?? 0))
  return [...all].reduce((sum, [pid, { ms }]) => sum + (under(pid) ? ms : 0), 0)
}

interface Start {
  ms: number
  cpuMs: number
}

/** Starts, measures and stops again. Rejects when it does not come up. */
const start = async (dataDir: string): Promise<Start> => {
  const at = performance.now()
  const child = spawn(process.execPath, [join(ROOT, 'bin/start.mjs')], {
    cwd: ROOT,
    env: {
      ...process.env,
      LANG: 'en_US.UTF-8',
      TIDEGATE_DATA: dataDir,
      TIDEGATE_HTTP_PORT: '0',
      TIDEGATE_AGENT_PORT: '0',
      TIDEGATE_EDGE_HTTP_PORT: '0',
      TIDEGATE_EDGE_HTTPS_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'exit')
  const running = new Promise<Start>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`it did not come up in time:\n${output}`)), LIMIT_MS)
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (!output.includes(RUNNING)) return
        clearTimeout(limit)
        resolve({ ms: performance.now() - at, cpuMs: spentBelow(child.pid ?? 0) })
      })
    }
    child.on('exit', (code) => reject(new Error(`it ended (${code}):\n${output}`)))
  })
  try {
    return await running
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const say = (name: string, starts: Start[]) => {
  const cells = (values: number[]) =>
    [0, 0.5, 1].map((share) => `${(percentile(values, share) / 1_000).toFixed(2)} s`.padStart(9)).join('')
  process.stdout.write(`${name.padEnd(24)}${cells(starts.map((s) => s.ms))}${cells(starts.map((s) => s.cpuMs))}\n`)
}

const folders = Array.from({ length: FRESH }, () => mkdtempSync(join(tmpdir(), 'tgstart-')))
const fresh: Start[] = []
const warm: Start[] = []
try {
  // What is stale is built before anything is measured.
  await start(folders[0] ?? '')
  rmSync(folders[0] ?? '', { recursive: true })
  for (const folder of folders) fresh.push(await start(folder))
  for (let i = 0; i < WARM; i++) warm.push(await start(folders[0] ?? ''))
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
const titles = ['min', 'median', 'max', 'cpu min', 'median', 'max'].map((t) => t.padStart(9)).join('')
process.stdout.write(`\n${'start'.padEnd(24)}${titles}\n`)
say(`fresh (${FRESH})`, fresh)
say(`warm (${WARM})`, warm)
const median = percentile(
  warm.map((s) => s.ms),
  0.5,
)
process.stdout.write(`\ngoal: warm start <= ${GOAL_MS} ms (median): ${median <= GOAL_MS ? 'met' : 'MISSED'}\n`)
process.exit(median <= GOAL_MS ? 0 : 1)
