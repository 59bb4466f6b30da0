import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { identify } from '@tidegate/embedded/process'
import { freePort } from '@tidegate/embedded/start'
import { afterEach, expect, it } from 'vitest'
import { type Installation, type Launcher, makeInstallation, until } from './installation.ts'

const undo: Array<() => Promise<unknown> | unknown> = []

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

async function installation(name?: string): Promise<Installation> {
  const made = await makeInstallation(name)
  undo.push(() => made.remove())
  return made
}

async function running(place: Installation, args?: string[], env?: NodeJS.ProcessEnv): Promise<Launcher> {
  const launcher = place.start(args, env)
  undo.push(async () => {
    launcher.child.kill('SIGTERM')
    await launcher.ended()
  })
  await launcher.printed('Ctrl-C stops everything')
  return launcher
}

/** Stores that nobody asks: for what does not depend on them. */
const noStores = {
  DATABASE_URL: 'postgres://127.0.0.1:9/',
  DATABASE_OWNER_URL: 'postgres://127.0.0.1:9/',
  CLICKHOUSE_URL: 'http://127.0.0.1:9/',
}
const all = (processes: Record<string, number>) =>
  Object.keys(processes).sort().join(' ') === 'agent database server store'
const lines = (file: string): Array<Record<string, string>> =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

it('starts everything in order, shows the password once, and Ctrl-C stops everything in reverse', async () => {
  const place = await installation()
  const first = await running(place)
  const shown = /account: admin {3}password: (\S{20})/.exec(first.output())?.[1]
  const order = [...first.output().matchAll(/(\w[\w ]+) is ready/g)].map((match) => match[1])
  expect(order).toEqual(['the database', 'the analytics store', 'the control plane', 'the edge node'])
  expect(first.output()).toMatch(/http:\/\/127\.0\.0\.1:\d+\/admin\//)
  const [given] = lines(join(place.dataDir, 'server-env.jsonl'))
  expect(given?.TIDEGATE_ADMIN_PASSWORD).toBe(shown)
  expect(place.processes()).toSatisfy(all)
  first.child.kill('SIGINT')
  expect(await first.ended()).toBe(0)
  expect(place.processes()).toEqual({})
  expect(readFileSync(join(place.dataDir, 'stops.txt'), 'utf8')).toBe('agent\nserver\n')

  const second = await running(place)
  expect(second.output()).not.toContain('password')
  expect(lines(join(place.dataDir, 'server-env.jsonl'))[1]).not.toHaveProperty('TIDEGATE_ADMIN_PASSWORD')
  expect(lines(join(place.dataDir, 'node', 'agent-env.jsonl'))[1]).not.toHaveProperty('TIDEGATE_ENROLL_TOKEN')
  expect(statSync(place.dataDir).mode & 0o777).toBe(0o700)
  for (const secret of ['instance.id', 'chdb.key'])
    expect(statSync(join(place.dataDir, secret)).mode & 0o777).toBe(0o600)
})

it('hands on a given password and does not print it', async () => {
  const place = await installation()
  const launcher = await running(place, [], { ...noStores, TIDEGATE_ADMIN_PASSWORD: 'chosen-by-hand-1' })
  expect(lines(join(place.dataDir, 'server-env.jsonl'))[0]?.TIDEGATE_ADMIN_PASSWORD).toBe('chosen-by-hand-1')
  expect(launcher.output()).not.toContain('chosen-by-hand-1')
})

it('refuses a second launcher on the same data folder and says who has it', async () => {
  const place = await installation()
  const first = await running(place, ['--control-plane-only'])
  const second = place.start()
  expect(await second.ended()).toBe(1)
  expect(second.output()).toContain(`process ${first.child.pid}`)
  expect(place.processes()).not.toHaveProperty('agent')
})

it('starts again what is killed, at the same addresses', async () => {
  const place = await installation()
  const launcher = await running(place)
  const before = place.processes()
  for (const part of ['server', 'store', 'database', 'agent'] as const) {
    process.kill(before[part] ?? 0, 'SIGKILL')
    await until(place.processes, (now) => all(now) && now[part] !== before[part])
  }
  await until(launcher.output, (text) => text.match(/is ready/g)?.length === 8)
  const [first, second] = lines(join(place.dataDir, 'server-env.jsonl'))
  process.kill(place.processes().server ?? 0, 'SIGKILL')
  const [, , third] = await until(
    () => lines(join(place.dataDir, 'server-env.jsonl')),
    (starts) => starts.length === 3,
  )
  for (const start of [second, third]) {
    expect(start?.DATABASE_URL).toBe(first?.DATABASE_URL)
    expect(start?.CLICKHOUSE_URL).toBe(first?.CLICKHOUSE_URL)
    expect(Number(start?.TIDEGATE_HTTP_PORT)).toBeGreaterThan(0)
  }
})

it('keeps the chosen port of the nodes over restarts, and gives it up only to somebody else', async () => {
  const place = await installation()
  const controlUrl = async () => {
    const launcher = await running(place, [], noStores)
    launcher.child.kill('SIGINT')
    expect(await launcher.ended()).toBe(0)
    return lines(join(place.dataDir, 'node', 'agent-env.jsonl')).at(-1)?.TIDEGATE_CONTROL_URL ?? ''
  }
  const first = await controlUrl()
  expect(first).toMatch(/^https:\/\/127\.0\.0\.1:[1-9]\d+$/)
  expect(await controlUrl()).toBe(first)
  const squatter = createServer().listen(Number(new URL(first).port), '127.0.0.1')
  await once(squatter, 'listening')
  undo.push(() => squatter.close())
  const moved = await controlUrl()
  expect(moved).not.toBe(first)
  expect(await controlUrl()).toBe(moved)
})

it('tells the node the port that was chosen for it, also when the server answers at its own port before', async () => {
  const place = await installation()
  const env = { ...noStores, TIDEGATE_HTTP_PORT: String(await freePort()), PORTS_LATER: '500' }
  await running(place, [], env)
  const [agent] = lines(join(place.dataDir, 'node', 'agent-env.jsonl'))
  expect(agent?.TIDEGATE_CONTROL_URL).toMatch(/:[1-9]\d+$/)
})

it('after kill -9 of the launcher, adopts the database and ends exactly its own orphans', async () => {
  const place = await installation()
  const first = await running(place)
  const before = place.processes()
  const instance = readFileSync(join(place.dataDir, 'instance.id'), 'utf8').trim()
  // What a part started itself, nginx say, inherits its environment and is not the launcher's to end.
  const inherited = { PATH: process.env.PATH, TIDEGATE_INSTANCE: instance, TIDEGATE_PART: 'agent' }
  const bystander = spawn('sleep', ['120'], { env: inherited })
  undo.push(() => bystander.kill('SIGKILL'))
  first.child.kill('SIGKILL')
  await first.ended()
  expect(place.processes()).toEqual(before)

  const second = await running(place)
  const after = place.processes()
  expect(after.database).toBe(before.database)
  expect(second.output()).toContain('the database was still running')
  for (const part of ['server', 'store', 'agent']) {
    expect(second.output()).toContain(`(process ${before[part]})`)
    expect(after[part]).not.toBe(before[part])
  }
  expect(identify(bystander.pid ?? 0)).toBeDefined()
})

it('stops what has started when Ctrl-C comes early, and when a part cannot start', async () => {
  const place = await installation()
  const early = place.start()
  await early.printed('the database is ready')
  early.child.kill('SIGINT')
  expect(await early.ended()).toBe(0)
  expect(place.processes()).toEqual({})

  const broken = place.start([], { CLICKHOUSE_URL: 'http://127.0.0.1:9/', TIDEGATE_HTTP_PORT: 'not-a-port' })
  expect(await broken.ended()).toBe(1)
  expect(broken.output()).toMatch(/the control plane did not start.*\n.*server\.log/)
  expect(place.processes()).toEqual({})
})

it('works from a path of 150 characters', async () => {
  const place = await installation(`tidegate ${'long '.repeat(30)}`)
  await running(place)
  expect(place.processes()).toSatisfy(all)
})

it('speaks Chinese on a Chinese terminal', async () => {
  const place = await installation()
  const launcher = place.start(['--control-plane-only'], { ...noStores, LANG: 'zh_CN.UTF-8' })
  await launcher.printed('按 Ctrl-C 停止')
  launcher.child.kill('SIGTERM')
  expect(await launcher.ended()).toBe(0)
  expect(launcher.output()).toContain('所有进程已停止')
})

it('with --demo serves real pages from a stock nginx, adds the site and asks the edge twice a second', async () => {
  const place = await installation()
  const pages = join(place.dataDir, '..', 'pages "here"')
  mkdirSync(pages)
  writeFileSync(join(pages, 'index.html'), '<h1>the demo</h1>')
  const engineRoot = process.env.TIDEGATE_ENGINE_ROOT ?? ''
  const demo = { ...noStores, TIDEGATE_DEMO_PAGES: pages, TIDEGATE_ENGINE_ROOT: engineRoot }
  const launcher = await running(place, ['--demo'], demo)
  const added = JSON.parse(readFileSync(join(place.dataDir, 'demo.json'), 'utf8'))
  const [, origin, , domain] = added.args
  // The demo's own origin is allowed by the command; the switch for all private origins stays off.
  expect(domain).toBe('demo.tidegate.test')
  expect(added).not.toHaveProperty('allow')
  expect(await (await fetch(`http://${origin}/`)).text()).toBe('<h1>the demo</h1>')
  const requests = join(place.dataDir, 'node', 'requests.txt')
  const seen = await until(
    () => (existsSync(requests) ? readFileSync(requests, 'utf8').trim().split('\n') : []),
    (lines) => lines.length >= 4,
  )
  expect(new Set(seen)).toEqual(new Set(['demo.tidegate.test /', 'demo.tidegate.test /index.html']))
  launcher.child.kill('SIGINT')
  expect(await launcher.ended()).toBe(0)
  await expect(fetch(`http://${origin}/`)).rejects.toThrow()
  // The port stays, so that nothing needs to be published again; when somebody else has it, there is a new one.
  const originOf = async (start: Awaited<ReturnType<typeof running>>) => {
    start.child.kill('SIGINT')
    expect(await start.ended()).toBe(0)
    return JSON.parse(readFileSync(join(place.dataDir, 'demo.json'), 'utf8')).args[1]
  }
  expect(await originOf(await running(place, ['--demo'], demo))).toBe(origin)
  const squatter = createServer().listen(Number(origin.split(':')[1]), '127.0.0.1')
  await once(squatter, 'listening')
  undo.push(() => squatter.close())
  const moved = await originOf(await running(place, ['--demo'], demo))
  expect(moved).not.toBe(origin)
  expect(await originOf(await running(place, ['--demo'], demo))).toBe(moved)
})
