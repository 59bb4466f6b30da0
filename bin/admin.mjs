/**
 * `npm run admin -- reset-password|unlock|doctor`: for the day the password is lost or something is red.
 * `npm run backup`, `npm run restore -- FILE`: the first word says which.
 */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { buildStale } from './lib/bundle.mjs'
import { checkNode, ensureModules } from './lib/npm.mjs'
import { runMain } from './lib/progress.mjs'

const root = dirname(import.meta.dirname)

await runMain(async () => {
  checkNode(root)
  await ensureModules(root)
  await buildStale(root)
  const child = spawn(process.execPath, [join(root, 'dist', 'admin.mjs'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
})
