/**
 * `npm start`: installs what is missing, builds what is stale and hands over to the launcher, which owns all processes.
 * Plain Node without a dependency: it runs before anything is installed.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { buildStale } from './lib/bundle.mjs'
import { ensurePackages, ensurePages } from './lib/debian.mjs'
import { checkNode, ensureModules } from './lib/npm.mjs'
import { demoFolder, demoPackage, edgeLibraries, edgePackages } from './lib/packages.mjs'
import { Refusal, runMain, startedAt } from './lib/progress.mjs'

const root = dirname(import.meta.dirname)
const args = process.argv.slice(2)
const known = ['--demo', '--control-plane-only']

async function main() {
  const strange = args.find((arg) => !known.includes(arg))
  if (strange) throw new Refusal(`unknown switch ${strange}; there are ${known.join(', ')}`)
  checkNode(root)
  await ensureModules(root)
  const env = { ...process.env, TIDEGATE_STARTED_MS: String(Date.now() - startedAt) }
  const dataDir = makeDataDir()
  if (!args.includes('--control-plane-only')) {
    env.TIDEGATE_ENGINE_ROOT ||= await ensurePackages(edgePackages, {
      libraries: edgeLibraries,
      unpackTo: join(dataDir, 'engines'),
    })
    if (args.includes('--demo'))
      env.TIDEGATE_DEMO_PAGES = await ensurePages(demoPackage, demoFolder, join(dataDir, 'demo'))
  }
  await buildStale(root)
  env.TIDEGATE_STARTED_MS = String(Date.now() - startedAt)
  return await handOver(env)
}

function makeDataDir() {
  const dir = resolve(root, process.env.TIDEGATE_DATA || 'data')
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    return realpathSync(dir)
  } catch (error) {
    throw new Refusal(`the data folder cannot be made: ${error.message}`)
  }
}

/** Runs the launcher to its end. Ctrl-C reaches it from the terminal; a signal sent to this process is passed on. */
async function handOver(env) {
  const launcher = spawn(process.execPath, [join(root, 'dist', 'launcher.mjs'), ...args], { env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => launcher.kill(signal))
  return await new Promise((resolve, reject) => {
    launcher.on('error', reject)
    launcher.on('exit', (code) => resolve(code ?? 1))
  })
}

await runMain(main)
