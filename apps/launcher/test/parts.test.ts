import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { identify, isRunning } from '@tidegate/embedded/process'
import { afterEach, expect, it } from 'vitest'
import { startChild } from '../src/child.ts'
import { rotateLogs } from '../src/log-files.ts'
import { type Part, supervise } from '../src/supervisor.ts'
import { languageOf, type TextKey, textOf } from '../src/texts.ts'
import { until } from './installation.ts'

const undo: Array<() => Promise<unknown> | unknown> = []

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tidegate-parts-'))
  undo.push(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A part that runs a line of shell. */
function shellPart(dir: string, line: string, ready: () => boolean = () => true): Part {
  return {
    name: 'server',
    readyWithinMs: 5_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 500,
    start: () =>
      startChild({
        program: 'sh',
        args: ['-c', line],
        env: { PATH: process.env.PATH },
        logFile: join(dir, 'part.log'),
      }),
    isReady: async () => ready(),
  }
}

it('waits longer after each death, with jitter, and stops waiting when told to', async () => {
  const dir = folder()
  const said: Array<Record<string, string | number> | undefined> = []
  const part = await supervise(shellPart(dir, 'sleep 0.05'), {
    say: (key: TextKey, values) => void (key === 'died' && said.push(values)),
    signal: new AbortController().signal,
    backoffMs: { first: 20, most: 160 },
    random: () => 0.5,
  })
  await until(
    () => said.length,
    (count) => count >= 6,
  )
  await part.stop()
  expect(said.slice(0, 6).map((values) => values?.ms)).toEqual([20, 40, 80, 160, 160, 160])
})

it('ends a part that does not obey, within its bound', async () => {
  const dir = folder()
  const said: TextKey[] = []
  const deaf = shellPart(dir, `trap '' TERM; touch ${dir}/deaf; while :; do sleep 0.1; done`, () =>
    existsSync(`${dir}/deaf`),
  )
  const part = await supervise(deaf, { say: (key) => void said.push(key), signal: new AbortController().signal })
  const identity = part.current()
  await part.stop()
  expect(isRunning(identity)).toBe(false)
  expect(said).toContain('killed')
})

it('gives up on a first start that never gets ready and leaves nothing running', async () => {
  const dir = folder()
  let pid = 0
  const never = shellPart(dir, 'exec sleep 60', () => false)
  const start = never.start
  never.readyWithinMs = 200
  never.start = async () => {
    const started = await start()
    pid = started.identity.pid
    return started
  }
  const signal = new AbortController().signal
  await expect(supervise(never, { say: () => {}, signal })).rejects.toThrow('not ready')
  expect(identify(pid)).toBeUndefined()
})

it('rotates a large log under the writer that holds it open', async () => {
  const dir = folder()
  const file = join(dir, 'part.log')
  const write = (text: string) => shellPart(dir, `echo ${text}`).start()
  writeFileSync(file, 'x'.repeat(2_000))
  rotateLogs(dir, { maxBytes: 1_000, keep: 2 })
  await (await write('later')).ended
  expect(readFileSync(file, 'utf8')).toBe('later\n')
  expect(statSync(`${file}.1`).size).toBe(2_000)
  for (let n = 0; n < 4; n++) {
    writeFileSync(file, `${n}`.repeat(2_000))
    rotateLogs(dir, { maxBytes: 1_000, keep: 2 })
  }
  expect(readFileSync(`${file}.2`, 'utf8')[0]).toBe('2')
  expect(existsSync(`${file}.3`)).toBe(false)
  rotateLogs(dir, { maxBytes: 1_000, keep: 2 })
  expect(readFileSync(`${file}.1`, 'utf8')[0]).toBe('3')
})

it('chooses the language by the usual variables and puts values in their places', () => {
  expect(languageOf({ LANG: 'zh_CN.UTF-8' })).toBe('zh')
  expect(languageOf({ LC_ALL: 'C', LANG: 'zh_CN.UTF-8' })).toBe('en')
  expect(textOf('en', 'ready', { part: 'database' })).toBe('the database is ready')
  expect(textOf('zh', 'ready', { part: 'database' })).toBe('数据库已就绪')
})

it('reports a program that is not there', async () => {
  const dir = folder()
  const none = startChild({ program: join(dir, 'none'), args: [], env: {}, logFile: join(dir, 'x.log') })
  await expect(none).rejects.toThrow('ENOENT')
  const ended = await startChild({
    program: 'sleep',
    args: ['60'],
    env: { PATH: process.env.PATH },
    logFile: join(dir, 'x.log'),
  })
  process.kill(ended.identity.pid, 'SIGKILL')
  expect(await ended.ended).toBe('SIGKILL')
})
