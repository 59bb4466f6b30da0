/**
 * `npm run test:bare [-- start|test]`: what a newcomer does, on a Debian 12 that has nothing but Node. Makes the smallest
 * Debian in a folder (root only), clones this checkout into it and runs `npm start` as an ordinary user in a long path with
 * a space, as root below /root, and as root again; with `test` also `npm test`.
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensurePackages } from './lib/debian.mjs'
import { Refusal, runMain, say } from './lib/progress.mjs'
import { run } from './lib/run.mjs'

const MINUTE = 60_000
const root = dirname(import.meta.dirname)
const bare = join(root, '.cache', 'bare')
const kinds = process.argv.slice(2)
const PERSON = 12_345
const READY = 'Ctrl-C stops everything'

await runMain(async () => {
  if (process.getuid() !== 0) throw new Refusal('only root can make a bare Debian')
  await ensurePackages(['debootstrap'], { unpackTo: bare })
  await makeDebian()
  copyIn()
  const results = []
  if (kinds.length === 0 || kinds.includes('start')) {
    // First the one without root, while the machine has no Debian package of ours.
    const long = `/home/person/a long path ${'x'.repeat(110)}/checkout`
    await clone(long, PERSON)
    results.push(await tryStart('npm start as an ordinary user', long, PERSON))
    const below = '/root/checkout'
    await clone(below, 0)
    results.push(await tryStart('npm start as root below /root', below, 0))
    results.push(await tryStart('npm start again', below, 0))
  }
  if (kinds.includes('test')) {
    await clone('/root/checkout', 0)
    results.push(await inside('/root/checkout', 0, ['npm', 'test'], { limit: 80 * MINUTE }))
  }
  const failed = results.filter((ok) => !ok).length
  process.stdout.write(`tests: ${results.length - failed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
})

async function makeDebian() {
  say('making a bare Debian 12')
  rmSync(bare, { recursive: true, force: true })
  mkdirSync(bare, { recursive: true })
  const { code, output } = await run('debootstrap', ['--variant=minbase', 'bookworm', bare, mirror()])
  if (code !== 0) throw new Refusal(`debootstrap failed:\n${output.slice(-3_000)}`)
  say('bare Debian made')
}

/** The mirror of this machine's own apt. */
function mirror() {
  const files = ['/etc/apt/sources.list']
  const folder = '/etc/apt/sources.list.d'
  if (existsSync(folder)) files.push(...readdirSync(folder).map((name) => join(folder, name)))
  const text = files
    .filter((file) => existsSync(file) && /\.(list|sources)$/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
  const found = /^(?:deb(?:\s+\[[^\]]*\])?|URIs:)\s+(\S*\/debian\/?)(?:\s|$)/m.exec(text.join('\n'))?.[1]
  if (!found) throw new Refusal('no mirror in /etc/apt')
  return found
}

/** Node, npm and the way to the registries; nothing else of this machine. */
function copyIn() {
  const copies = [
    '/etc/apt/sources.list',
    '/etc/apt/sources.list.d',
    '/etc/apt/apt.conf.d',
    '/etc/resolv.conf',
    '/etc/hosts',
  ]
  for (const path of [...copies, '/etc/ssl/certs/ca-certificates.crt', '/usr/etc/npmrc']) {
    if (existsSync(path)) cpSync(path, join(bare, path), { recursive: true, dereference: true })
  }
  const ca = process.env.NODE_EXTRA_CA_CERTS
  if (ca && existsSync(ca)) cpSync(ca, join(bare, 'etc', 'extra-ca.crt'), { dereference: true })
  cpSync(process.execPath, join(bare, 'usr/local/bin/node'))
  const npm = join(dirname(dirname(process.execPath)), 'lib/node_modules/npm')
  cpSync(npm, join(bare, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true })
  writeFileSync(
    join(bare, 'usr/local/bin/npm'),
    '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
    {
      mode: 0o755,
    },
  )
}

async function clone(to, uid) {
  const target = join(bare, to)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(dirname(target), { recursive: true })
  const { code, output } = await run('git', ['clone', '-q', '--no-hardlinks', root, target])
  if (code !== 0) throw new Refusal(output)
  const home = uid === 0 ? target : join(bare, 'home/person')
  await run('chown', ['-R', `${uid}:${uid}`, home])
}

/** Starts it, waits for the line that says that everything runs, and stops it as Ctrl-C does. */
async function tryStart(title, dir, uid) {
  say(title)
  const ok = await inside(dir, uid, ['npm', 'start'], { limit: 15 * MINUTE, stopAt: READY })
  say(`${ok ? 'passed' : 'FAILED'}  ${title}`)
  return ok
}

/** Runs a command in the bare Debian, with process ids and mounts of its own: all of it ends with it. */
async function inside(dir, uid, command, { limit, stopAt }) {
  const script = [
    'set -e',
    'mount --make-rprivate /',
    'mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; mount -t tmpfs tmpfs "$1/run"; mkdir -p "$1/run/lock"',
    'root="$1"; dir="$2"; uid="$3"; shift 3',
    'exec chroot --userspec="$uid:$uid" "$root" env -i "HOME=$([ "$uid" = 0 ] && echo /root || echo /home/person)"' +
      ' PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin CI=true TIDEGATE_HTTP_PORT=0 TIDEGATE_AGENT_PORT=0' +
      ' TIDEGATE_EDGE_HTTP_PORT=0 TIDEGATE_EDGE_HTTPS_PORT=0 NODE_EXTRA_CA_CERTS=/etc/extra-ca.crt' +
      ' sh -c \'cd "$1"; shift; exec "$@"\' sh "$dir" "$@"',
  ].join('\n')
  const args = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh', bare, dir, `${uid}`, ...command]
  const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let seen = ''
  let stopped = false
  const take = (chunk) => {
    process.stdout.write(chunk)
    seen += chunk
    if (!stopAt || stopped || !seen.includes(stopAt)) return
    stopped = true
    // The terminal's Ctrl-C goes to the whole foreground group.
    process.kill(-child.pid, 'SIGINT')
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), limit)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  return stopAt ? stopped && seen.includes('all processes have stopped') : code === 0
}
