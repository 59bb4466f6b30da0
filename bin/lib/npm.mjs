import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal, say } from './progress.mjs'
import { run } from './run.mjs'

/** Refuses a Node that is too old for what package.json asks. */
export function checkNode(root) {
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '')
  const [needMajor, needMinor = 0] = wanted.split('.').map(Number)
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < needMajor || (major === needMajor && minor < needMinor)) {
    throw new Refusal(`Node.js ${wanted} or newer is needed, this is ${process.versions.node}`)
  }
}

/** Installs the npm packages when they are missing or not those of the lockfile. Install scripts are never run. */
export async function ensureModules(root) {
  const lock = readFileSync(join(root, 'package-lock.json'))
  const hash = createHash('sha256').update(lock).digest('hex')
  const stamp = join(root, 'node_modules', '.tidegate-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  if (!isInstalled(root, JSON.parse(lock))) {
    say('installing npm packages')
    // Not `npm ci`: it refuses a lockfile that lacks other machines' optional packages, which a registry may not have.
    // This takes the same versions out of the lockfile and leaves it as it is.
    const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
    const { code, output } = await run('npm', args, { cwd: root })
    if (code !== 0) throw new Refusal(`npm install failed:\n${output}`)
    say('npm packages are installed')
  }
  try {
    writeFileSync(stamp, hash)
  } catch {
    // Modules that belong to somebody else are compared again at the next start.
  }
}

/** Whether node_modules already holds what the lockfile names (installed by hand, say). */
function isInstalled(root, lock) {
  const file = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(file)) return false
  const have = JSON.parse(readFileSync(file, 'utf8')).packages
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    // Optional packages of other machines are in the lockfile only.
    return have[path] ? have[path].version === wanted.version : wanted.optional === true || wanted.peer === true
  })
}
