import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { type Cluster, openCluster } from './cluster.ts'
import { identify, waitForEnd } from './process.ts'
import { runnersFor } from './runner.ts'
import { freePort } from './start.ts'

const isRoot = process.getuid?.() === 0
const undo: Array<() => Promise<void> | void> = []

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

function folder(name = 'tidegate-pg-'): string {
  const dir = mkdtempSync(join(tmpdir(), name))
  undo.push(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

async function open(base: string, options: Partial<Parameters<typeof openCluster>[0]> = {}): Promise<Cluster> {
  const cluster = await openCluster({ dir: join(base, 'pg'), runDir: join(base, 'run'), ...options })
  undo.push(() => cluster.stop())
  return cluster
}

async function rows(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

it('starts a new cluster, remembers its port, and keeps rows over a stop', async () => {
  const base = folder()
  const first = await open(base)
  await rows(first.ownerUrl, 'CREATE TABLE kept AS SELECT 7 AS n')
  await first.stop()
  const second = await open(base)
  expect(second.port).toBe(first.port)
  expect(second.adopted).toBe(false)
  expect(await rows(second.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
  expect(await rows(second.superUrl, 'SHOW fsync')).toEqual([{ fsync: 'on' }])
})

it('gives the server a role that is neither superuser nor able to make tables or roles', async () => {
  const cluster = await open(folder(), { fsync: false })
  expect(await rows(cluster.appUrl, 'SHOW is_superuser')).toEqual([{ is_superuser: 'off' }])
  await expect(rows(cluster.appUrl, 'CREATE TABLE t (n int)')).rejects.toThrow(/permission denied/)
  await expect(rows(cluster.appUrl, 'CREATE ROLE other')).rejects.toThrow(/permission denied/)
  expect(await rows(cluster.ownerUrl, 'CREATE TABLE t (n int)')).toEqual([])
})

it('refuses a wrong password, listens on loopback only and keeps its secrets to itself', async () => {
  const base = folder()
  const cluster = await open(base, { fsync: false })
  const wrong = cluster.appUrl.replace(/:[^:@]+@/, ':wrong@')
  await expect(rows(wrong, 'SELECT 1')).rejects.toThrow(/password authentication failed/)
  expect(await rows(cluster.superUrl, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  expect(await rows(cluster.superUrl, 'SHOW password_encryption')).toEqual([{ password_encryption: 'scram-sha-256' }])
  expect(statSync(join(base, 'pg', 'cluster.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(base, 'pg', 'pgdata')).mode & 0o777).toBe(0o700)
})

it('adopts the server when its starter was killed with -9', async () => {
  const base = folder()
  const starter = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'testing', 'open-and-wait.ts'), join(base, 'pg'), join(base, 'run')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = (await once(starter.stdout, 'data')) as [Buffer]
  const pid = Number(line.toString())
  starter.kill('SIGKILL')
  await once(starter, 'exit')
  const adopted = await open(base)
  expect(adopted).toMatchObject({ adopted: true, pid })
  expect(await rows(adopted.appUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await adopted.stop()
  expect(identify(pid)).toBeUndefined()
})

it('does not take an unrelated process for the server when a pid file is stale', async () => {
  const base = folder()
  const first = await open(base)
  await first.stop()
  const stranger = spawn('sleep', ['60'])
  undo.push(() => void stranger.kill('SIGKILL'))
  const pgdata = join(base, 'pg', 'pgdata')
  const stale = [stranger.pid, pgdata, 1_700_000_000, first.port, '', '127.0.0.1', '  1 2', 'ready   ', '']
  writeFileSync(join(pgdata, 'postmaster.pid'), stale.join('\n'))
  const second = await open(base)
  expect(second.adopted).toBe(false)
  expect(second.pid).not.toBe(stranger.pid)
  await second.stop()
  expect(identify(stranger.pid ?? 0)).toBeDefined()
})

it('comes back after kill -9 of the postmaster with every acknowledged row', async () => {
  const base = folder()
  let cluster = await open(base)
  await rows(cluster.ownerUrl, 'CREATE TABLE counted (n int)')
  let acknowledged = 0
  for (let round = 0; round < 3; round++) {
    const client = new pg.Client({ connectionString: cluster.ownerUrl })
    client.on('error', () => {})
    await client.connect()
    const victim = identify(cluster.pid)
    for (let n = 0; n < 50 + round * 37; n++) {
      await client.query('INSERT INTO counted VALUES ($1)', [n])
      acknowledged++
    }
    process.kill(cluster.pid, 'SIGKILL')
    await client.query('INSERT INTO counted VALUES (-1)').catch(() => {})
    if (victim) expect(await waitForEnd(victim, 5_000)).toBe(true)
    cluster = await open(base)
  }
  const found = await rows(cluster.ownerUrl, 'SELECT count(*)::int AS n FROM counted WHERE n >= 0')
  expect(found).toEqual([{ n: acknowledged }])
})

it('lets two openers of one folder share one server', async () => {
  const base = folder()
  const [a, b] = await Promise.all([open(base, { fsync: false }), open(base, { fsync: false })])
  expect(a.pid).toBe(b.pid)
})

it('moves to another port when the remembered one is taken, and refuses a fixed one that is', async () => {
  const base = folder()
  const first = await open(base)
  await first.stop()
  const squatter = createServer().listen(first.port, '127.0.0.1')
  await once(squatter, 'listening')
  undo.push(() => void squatter.close())
  await expect(open(base, { port: first.port })).rejects.toMatchObject({ code: 'port-in-use' })
  const second = await open(base)
  expect(second.port).not.toBe(first.port)
  expect(await rows(second.appUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

it('works under a long path with a space in it', async () => {
  const base = join(folder(), `a path ${'x'.repeat(150)}`)
  mkdirSync(base)
  const cluster = await open(base, { fsync: false, port: await freePort() })
  expect(await rows(cluster.appUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

it('says which folder cannot be written', async () => {
  const base = folder()
  writeFileSync(join(base, 'pg'), 'a file in the way')
  await expect(open(base)).rejects.toMatchObject({ code: 'not-writable', message: expect.stringContaining(base) })
})

it('refuses the data of another major version', async () => {
  const base = folder()
  mkdirSync(join(base, 'pg', 'pgdata'), { recursive: true })
  writeFileSync(join(base, 'pg', 'pgdata', 'PG_VERSION'), '15\n')
  await expect(open(base)).rejects.toMatchObject({ code: 'wrong-version' })
})

it.runIf(isRoot)('says that the disk is full', async () => {
  const base = folder()
  const small = join(base, 'small')
  mkdirSync(small)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', small], { encoding: 'utf8' })
  expect(mounted.stderr).toBe('')
  undo.push(() => void spawnSync('umount', [small]))
  const refused = openCluster({ dir: join(small, 'pg'), runDir: join(base, 'run') })
  await expect(refused).rejects.toMatchObject({ code: 'disk-full', message: expect.stringContaining('200 MB') })
})

// Plain nobody is no way out of a checkout under /root: there only the one with access is.
const openCheckout = isRoot && spawnSync('setpriv', ['--reuid=65534', 'ls', import.meta.dirname]).status === 0
const fallbacks = runnersFor(0).filter((runner) => runner.uid !== 0 && (openCheckout || runner.name !== 'nobody'))

it.runIf(isRoot).each(fallbacks)('runs as root where user namespaces are blocked: $name', async (runner) => {
  const base = folder()
  // Closed to everybody but root, as /root is; `nobody` alone needs an open way in.
  for (const part of [base, join(base, 'run')]) {
    mkdirSync(part, { recursive: true })
    chmodSync(part, runner.name === 'nobody' ? 0o755 : 0o700)
  }
  const cluster = await open(base, { fsync: false, runners: [runner] })
  expect(await rows(cluster.appUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await cluster.stop()
  expect(statSync(join(base, 'pg', 'pgdata')).uid).toBe(65534)
  const back = await open(base, { fsync: false })
  expect(await rows(back.appUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})
