import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withoutServiceStarts } from './policy.mjs'
import { Refusal, say } from './progress.mjs'
import { run } from './run.mjs'

const QUIET = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }

// dpkg's own placeholders.
const STATUS = ['$', '{db:Status-Abbrev} $', '{Package}\n'].join('')

/** Which of the packages are installed on this machine. */
async function installed(names) {
  const { output } = await run('dpkg-query', ['-W', '-f', STATUS, ...names], { env: QUIET })
  return new Set([...output.matchAll(/^ii\s+(\S+)$/gm)].map((match) => match[1]))
}

async function missingOf(names) {
  const have = await installed(names)
  return names.filter((name) => !have.has(name))
}

/**
 * Makes sure that Debian packages can be used. Resolves with the folder below which they are: '' when they are
 * installed on the machine (as root they are installed), else the folder into which they were unpacked.
 */
export async function ensurePackages(names, { libraries = [], unpackTo }) {
  if (!existsSync('/usr/bin/dpkg-query')) throw new Refusal('this is not a Debian system: dpkg-query is missing')
  const missing = await missingOf(names)
  if (missing.length === 0) return ''
  if (process.getuid() !== 0) return await unpackPackages([...names, ...libraries], unpackTo)
  say(`installing Debian packages: ${missing.join(' ')}`)
  await withoutServiceStarts(async () => {
    const before = await everyPackage()
    if ((await aptInstall(missing)).code !== 0) {
      await aptUpdate([])
      const { code, output } = await aptInstall(missing)
      if (code !== 0) throw new Refusal(`apt-get install failed:\n${output}`)
    }
    await disableUnitsOf([...(await everyPackage())].filter((name) => !before.has(name)))
  })
  say('Debian packages are installed')
  return ''
}

async function aptInstall(names) {
  const args = ['-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=600', 'install', ...names]
  return await run('apt-get', args, { env: QUIET })
}

async function aptUpdate(options) {
  const { code, output } = await run('apt-get', [...options, '-o', 'DPkg::Lock::Timeout=600', 'update'], { env: QUIET })
  if (code !== 0) throw new Refusal(`apt-get update failed:\n${output}`)
}

async function everyPackage() {
  const { output } = await run('dpkg-query', ['-W', '-f', STATUS], { env: QUIET })
  return new Set([...output.matchAll(/^ii\s+(\S+)$/gm)].map((match) => match[1]))
}

/** Services of packages that we have just brought must not start at the next boot; others are left alone. */
async function disableUnitsOf(packages) {
  if (packages.length === 0) return
  const { output } = await run('dpkg', ['-L', ...packages], { env: QUIET })
  const units = [...output.matchAll(/^(?:\/usr)?\/lib\/systemd\/system\/([^/@\s]+\.(?:service|socket|timer))$/gm)]
  const scripts = [...output.matchAll(/^\/etc\/init\.d\/(\S+)$/gm)]
  if (existsSync('/usr/bin/systemctl')) {
    for (const [, unit] of units) await run('systemctl', ['disable', unit], { env: QUIET })
  }
  if (existsSync('/usr/sbin/update-rc.d')) {
    for (const [, script] of scripts) await run('update-rc.d', [script, 'disable'], { env: QUIET })
  }
}

/** Downloads packages without root, with apt's state in our own folder, and unpacks them. Done once per list. */
async function unpackPackages(names, dir) {
  const root = join(dir, 'root')
  const stamp = join(dir, 'unpacked.txt')
  const list = names.join(' ')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === list) return root
  say(`unpacking Debian packages into ${root} (no root rights)`)
  const archives = await downloadPackages(names, dir, true)
  for (const archive of archives) await unpack(archive, root)
  dropDownloads(dir)
  writeFileSync(stamp, list)
  say('Debian packages are unpacked')
  return root
}

async function unpack(archive, root) {
  mkdirSync(root, { recursive: true })
  const { code, output } = await run('dpkg-deb', ['-x', archive, root], { env: QUIET })
  if (code !== 0) throw new Refusal(`dpkg-deb -x ${archive} failed:\n${output}`)
}

/** Fetches the archives of packages (and of what they need and this machine lacks); resolves with their paths. */
async function downloadPackages(names, dir, withDependencies) {
  const cache = join(dir, 'apt-cache')
  const state = join(dir, 'apt-state')
  const archives = join(cache, 'archives')
  rmSync(archives, { recursive: true, force: true })
  for (const folder of [join(archives, 'partial'), join(state, 'lists', 'partial')]) {
    mkdirSync(folder, { recursive: true })
  }
  const options = [
    `Dir::State=${state}`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${cache}`,
    'Debug::NoLocking=1',
    // As root apt would fetch as another user, who cannot enter our folder.
    `APT::Sandbox::User=${process.getuid() === 0 ? 'root' : ''}`,
  ].flatMap((option) => ['-o', option])
  await aptUpdate(options)
  const fetched = await run('apt-get', [...options, 'download', ...names], { cwd: archives, env: QUIET })
  if (fetched.code !== 0) throw new Refusal(`apt-get download failed:\n${fetched.output}`)
  if (withDependencies) {
    const args = [...options, '-y', '--no-install-recommends', '--download-only', 'install', ...names]
    const more = await run('apt-get', args, { env: QUIET })
    if (more.code !== 0) throw new Refusal(`apt-get install --download-only failed:\n${more.output}`)
  }
  return readdirSync(archives)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => join(archives, name))
}

function dropDownloads(dir) {
  for (const name of ['apt-cache', 'apt-state']) rmSync(join(dir, name), { recursive: true, force: true })
}

/** Unpacks one package of documentation for the demo; resolves with the folder of its pages. */
export async function ensurePages(name, folder, dir) {
  const root = join(dir, 'root')
  const pages = join(root, folder)
  if (existsSync(pages)) return pages
  say(`fetching the demo's web site (${name})`)
  for (const archive of await downloadPackages([name], dir, false)) await unpack(archive, root)
  dropDownloads(dir)
  if (!existsSync(pages)) throw new Refusal(`${name} has no ${folder}`)
  return pages
}
