// Sizes of the built console (in the folder given, or ./dist) against their budgets (gzip, kB = 1000 bytes).
// Exit status 1 when one is exceeded.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const dist = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), 'dist')
const manifestPath = join(dist, '.vite', 'manifest.json')
if (!existsSync(manifestPath)) {
  console.error(`no build in ${dist}: build the console first`)
  process.exit(1)
}
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))

/** Files that an entry needs before it runs: itself, its static imports, its styles. */
const needs = (key, seen = new Set()) => {
  const row = manifest[key]
  if (row === undefined) throw new Error(`${key} is not in the build`)
  if (seen.has(row.file)) return seen
  seen.add(row.file)
  for (const css of row.css ?? []) seen.add(css)
  for (const next of row.imports ?? []) needs(next, seen)
  return seen
}
const size = (files) => [...files].reduce((sum, f) => sum + gzipSync(readFileSync(join(dist, f))).length, 0) / 1000
const of = (...keys) => new Set(keys.flatMap((key) => [...needs(key)]))

const ENTRY = 'index.html'
const SHELL = Object.keys(manifest).find((key) => manifest[key].name === 'frame')
const ECHARTS = '../../packages/ui/src/echarts.ts'
const pages = Object.keys(manifest).filter((key) => /^src\/features\/.*Page\.tsx$/.test(key))
const list = 'src/features/site/SiteListPage.tsx'
const overview = 'src/features/overview/OverviewPage.tsx'

const rows = [
  ['login', size(of(ENTRY)), 145],
  ['first console page', size(of(ENTRY, SHELL, list)), 420],
  ['dashboard', size(of(ENTRY, SHELL, overview, ECHARTS)), 560],
  ...pages.map((key) => [key, size([manifest[key].file, ...(manifest[key].css ?? [])]), 60]),
]
let over = 0
for (const [name, kb, budget] of rows) {
  const bad = kb > budget
  if (bad) over += 1
  console.log(`${bad ? 'OVER' : 'ok  '} ${String(kb.toFixed(1)).padStart(6)} of ${budget} kB  ${name}`)
}
process.exit(over === 0 ? 0 : 1)
