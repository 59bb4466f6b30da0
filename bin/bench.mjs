/** `npm run bench [-- name…]`: runs bench/*.bench.ts one after another, so that none disturbs another's figures. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildStale } from './lib/bundle.mjs'
import { ensurePackages } from './lib/debian.mjs'
import { checkNode, ensureModules } from './lib/npm.mjs'
import { edgeLibraries, edgePackages } from './lib/packages.mjs'
import { Refusal, runMain, say } from './lib/progress.mjs'
import { run } from './lib/run.mjs'

const root = dirname(import.meta.dirname)
const wanted = process.argv.slice(2)

await runMain(async () => {
  checkNode(root)
  await ensureModules(root)
  const unpackTo = join(root, '.cache', 'engines')
  const engineRoot = await ensurePackages(edgePackages, { libraries: edgeLibraries, unpackTo })
  await buildStale(root)
  const folder = join(root, 'bench')
  const found = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.bench.ts')) : []
  const chosen = found.filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word))).sort()
  if (chosen.length === 0) throw new Refusal('there is no such benchmark')
  const env = { ...process.env, TIDEGATE_ENGINE_ROOT: engineRoot }
  let failed = 0
  for (const name of chosen) {
    say(`bench/${name}`)
    const { code } = await run(process.execPath, ['--import', 'tsx', join(folder, name)], {
      cwd: root,
      env,
      inherit: true,
    })
    if (code !== 0) failed++
    say(`bench/${name} ${code === 0 ? 'done' : `failed (${code})`}`)
  }
  return failed === 0 ? 0 : 1
})
