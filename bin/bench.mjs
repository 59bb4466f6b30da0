/** `npm run bench [-- name…]`: runs bench/*.bench.ts one after another, so that none disturbs another's figures. Each has a bound in time. */
import { existsSync, readdirSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { buildStale } from './lib/bundle.mjs'
import { ensurePackages } from './lib/debian.mjs'
import { checkNode, ensureModules } from './lib/npm.mjs'
import { benchPackages, dnsPackages, edgeLibraries, edgePackages } from './lib/packages.mjs'
import { Refusal, runMain, say } from './lib/progress.mjs'
import { run } from './lib/run.mjs'

const root = dirname(import.meta.dirname)
const wanted = process.argv.slice(2)
/** Of one benchmark, its engines' start and end included. */
const LIMIT_MS = 240_000
const load = () =>
  `load ${loadavg()
    .map((one) => one.toFixed(2))
    .join(' ')} on ${cpus().length} cores`

await runMain(async () => {
  checkNode(root)
  await ensureModules(root)
  const unpackTo = join(root, '.cache', 'engines')
  const engineRoot = await ensurePackages([...edgePackages, ...dnsPackages, ...benchPackages], {
    libraries: edgeLibraries,
    unpackTo,
  })
  await buildStale(root)
  const folder = join(root, 'bench')
  const found = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.bench.ts')) : []
  const chosen = found.filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word))).sort()
  if (chosen.length === 0) throw new Refusal('there is no such benchmark')
  const path = engineRoot === '' ? process.env.PATH : `${join(engineRoot, 'usr', 'bin')}:${process.env.PATH}`
  const env = { ...process.env, PATH: path, TIDEGATE_ENGINE_ROOT: engineRoot }
  const outcomes = []
  for (const name of chosen) {
    say(`bench/${name} (${load()})`)
    const { code, timedOut } = await run(process.execPath, ['--import', 'tsx', join(folder, name)], {
      cwd: root,
      env,
      inherit: true,
      limitMs: LIMIT_MS,
    })
    outcomes.push(
      `${name.padEnd(28)} ${timedOut ? 'took too long' : code === 0 ? 'within its target' : `missed or failed (${code})`}`,
    )
    if (code !== 0 || timedOut) process.exitCode = 1
  }
  say(`${chosen.length} benchmarks:\n${outcomes.map((line) => `  ${line}`).join('\n')}`)
  return process.exitCode ?? 0
})
