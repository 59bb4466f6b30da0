/**
 * `npm test [-- stage…]`: everything, set-up included. Set-up and each stage have a hard limit; one that exceeds it
 * counts as a failed test and its output is shown. The last line is `tests: N passed, N failed`, with `, N skipped` if any are.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildStale } from './lib/bundle.mjs'
import { ensurePackages } from './lib/debian.mjs'
import { checkNode, ensureModules } from './lib/npm.mjs'
import { dnsPackages, edgeLibraries, edgePackages, testPackages } from './lib/packages.mjs'
import { Refusal, runMain, say } from './lib/progress.mjs'
import { run } from './lib/run.mjs'

const MINUTE = 60_000
// All limits together stay below an hour and a half.
const SETUP_LIMIT = 15 * MINUTE
const CHECK_LIMIT = 2 * MINUTE
const root = dirname(import.meta.dirname)
const cache = join(root, '.cache')
const chosen = process.argv.slice(2)
const total = { passed: 0, failed: 0, skipped: 0 }

await runMain(async () => {
  checkNode(root)
  const known = ['static', ...stages().map((stage) => stage.name)]
  const strange = chosen.find((name) => !known.includes(name))
  if (strange) throw new Refusal(`there is no stage ${strange}; there are ${known.join(', ')}`)
  let env
  try {
    env = await within(SETUP_LIMIT, prepare())
  } catch (error) {
    say(`set-up failed: ${error.message}`)
    total.failed++
    return report()
  }
  if (wants('static')) await runChecks(staticChecks(), env)
  for (const stage of stages()) if (wants(stage.name)) await runStage(stage, env)
  return report()
})

function wants(name) {
  return chosen.length === 0 || chosen.includes(name)
}

/** Rejects when the work takes longer; the process ends soon after, and with it the work. */
async function within(ms, work) {
  let timer
  const over = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${ms / 1_000} s`)), ms)
  })
  return await Promise.race([work, over]).finally(() => clearTimeout(timer))
}

/** Installs what the tests need; resolves with the environment of the stages. */
async function prepare() {
  await ensureModules(root)
  const env = { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }) }
  const whole = wants('browser') || wants('faults')
  if (wants('engines') || whole) {
    const unpackTo = join(cache, 'engines')
    env.TIDEGATE_ENGINE_ROOT ||= await ensurePackages([...edgePackages, ...dnsPackages], {
      libraries: edgeLibraries,
      unpackTo,
    })
  }
  if (whole) {
    const unpacked = await ensurePackages(testPackages, { unpackTo: join(cache, 'browser') })
    env.CHROMIUM ||= join(unpacked || '/', 'usr/bin/chromium')
    env.PEBBLE_DIR ||= join(unpacked || '/', 'usr/bin')
  }
  if (whole || wants('engines') || wants('static')) await buildStale(root)
  return env
}

function staticChecks() {
  const bin = (name) => join(root, 'node_modules', '.bin', name)
  return [
    { name: 'types', command: [bin('tsc'), '--noEmit', '-p', 'tsconfig.json'] },
    { name: 'format and lint', command: [bin('biome'), 'ci', '--colors=off', '.'] },
    { name: 'import arrows', command: [process.execPath, 'bin/check-arrows.mjs'] },
    { name: 'dead code', command: [bin('knip'), '--no-config-hints'] },
    { name: 'languages', command: [process.execPath, 'bin/check-i18n.mjs'] },
    { name: 'generated files', command: ['npm', 'run', '--silent', 'openapi:check'] },
    { name: "console's size", command: [process.execPath, 'apps/console/check-budget.mjs', 'dist/console'] },
  ]
}

function stages() {
  return [
    { name: 'unit', projects: 'unit*', limit: 18 * MINUTE },
    { name: 'engines', limit: 8 * MINUTE },
    { name: 'browser', limit: 18 * MINUTE },
    { name: 'faults', limit: 12 * MINUTE },
  ]
}

/** Two at a time: some of them use one core only. */
async function runChecks(checks, env) {
  const waiting = [...checks]
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) await runCheck(check, env)
  }
  await Promise.all([work(), work()])
}

async function runCheck({ name, command: [program, ...args] }, env) {
  const began = Date.now()
  const { code, timedOut, output } = await run(program, args, { cwd: root, env, limitMs: CHECK_LIMIT })
  const ok = code === 0 && !timedOut
  total[ok ? 'passed' : 'failed']++
  say(`${ok ? 'passed' : 'FAILED'}  ${name}, ${secondsSince(began)} s${timedOut ? ' (over its time limit)' : ''}`)
  if (!ok) process.stdout.write(`${output.slice(-20_000)}\n`)
}

/** Runs a stage's vitest projects and adds its counts; a run without a report, or with a file that did not load, failed. */
async function runStage({ name, projects = name, limit }, env) {
  const file = join(cache, 'test-results', `${name}.json`)
  mkdirSync(dirname(file), { recursive: true })
  rmSync(file, { force: true })
  const began = Date.now()
  say(`stage ${name}`)
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const args = [
    vitest,
    'run',
    '--project',
    projects,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  const onLine = (text) => process.stdout.write(text)
  const { code, timedOut } = await run(process.execPath, args, { cwd: root, env, limitMs: limit, onLine })
  const counts = readCounts(file)
  total.passed += counts.passed
  total.skipped += counts.skipped
  total.failed += counts.failed + (counts.failed === 0 && (code !== 0 || timedOut) ? 1 : 0)
  const why = timedOut ? ', over its time limit' : code === 0 ? '' : `, ended with ${code}`
  say(`stage ${name}: ${counts.passed} passed, ${counts.failed} failed${why}, ${secondsSince(began)} s`)
}

function secondsSince(began) {
  return ((Date.now() - began) / 1_000).toFixed(1)
}

function readCounts(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0, skipped: 0 }
  const result = JSON.parse(readFileSync(file, 'utf8'))
  // A file that does not load has no tests, only a message.
  const broken = result.testResults.filter((one) => one.status === 'failed' && one.assertionResults.length === 0).length
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + broken,
    skipped: result.numPendingTests + result.numTodoTests,
  }
}

function report() {
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
  process.stdout.write(`tests: ${total.passed} passed, ${total.failed} failed${skipped}\n`)
  return total.failed === 0 && total.passed > 0 ? 0 : 1
}
