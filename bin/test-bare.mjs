/**
 * `npm run test:bare [-- start | test [stage…]]`: what a newcomer does, on a Debian 12 that has nothing but Node. Makes the
 * smallest Debian in a folder (root only), clones this checkout into it and runs `npm start -- --demo` twice as an ordinary
 * user in a long path with a space and twice as root below /root, each time until the node is green and the demo site comes
 * out of the edge's cache; with `test` it runs `npm test` there, or some of its stages.
 */
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ensurePackages } from './lib/debian.mjs'
import { lookAround } from './lib/newcomer.mjs'
import { Refusal, runMain, say } from './lib/progress.mjs'
import { run } from './lib/run.mjs'

const stageNames = ['static', 'unit', 'engines', 'browser', 'faults']
const MINUTE = 60_000
const root = dirname(import.meta.dirname)
const bare = join(root, '.cache', 'bare')
const kinds = process.argv.slice(2).filter((word) => !stageNames.includes(word))
const stages = process.argv.slice(2).filter((word) => stageNames.includes(word))
const PERSON = 12_345
const READY = 'Ctrl-C stops everything'
const POLICY = '#!/bin/sh\n# of this machine\nexit 104\n'
const results = []

await runMain(async () => {
  if (process.getuid() !== 0) throw new Refusal('only root can make a bare Debian')
  await ensurePackages(['debootstrap'], { unpackTo: bare })
  await makeDebian()
  copyIn()
  if (kinds.length === 0 || kinds.includes('start')) await tryStarts()
  if (kinds.includes('test')) {
    await clone('/root/checkout', 0)
    const command = ['npm', 'test', ...(stages.length > 0 ? ['--', ...stages] : [])]
    await check('npm test as root below /root', async () => {
      const { code } = await inside('/root/checkout', 0, command, { limit: 85 * MINUTE })
      if (code !== 0) throw new Error(`it ended with ${code}`)
    })
  }
  const failed = results.filter((ok) => !ok).length
  process.stdout.write(`tests: ${results.length - failed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
})

/** First the one without root, while the machine has no Debian package of ours. */
async function tryStarts() {
  const long = `/home/person/a long path ${'x'.repeat(110)}/checkout`
  const below = '/root/checkout'
  await clone(long, PERSON)
  await clone(below, 0)
  for (const [who, dir, uid] of [
    ['an ordinary user', long, PERSON],
    ['root below /root', below, 0],
  ]) {
    let password
    await check(`npm start as ${who}`, async () => {
      password = await startOnce(dir, uid)
    })
    await check(`npm start again as ${who}`, () => startOnce(dir, uid, password))
  }
  await check('the machine is left as it was', leftAlone)
}

async function check(title, work) {
  say(title)
  const error = await work().then(
    () => undefined,
    (reason) => reason,
  )
  results.push(error === undefined)
  say(`${error ? 'FAILED' : 'passed'}  ${title}${error ? `: ${error.message}` : ''}`)
}

/** Nothing that the packages brought starts by itself, and the policy that was there is there again. */
async function leftAlone() {
  if (readFileSync(join(bare, 'usr/sbin/policy-rc.d'), 'utf8') !== POLICY) throw new Error('policy-rc.d has changed')
  const units = readdirSync(join(bare, 'etc/systemd/system'), { recursive: true })
  const scripts = readdirSync(join(bare, 'etc'), { recursive: true }).filter((name) => /^rc[2-5]\.d\/S/.test(name))
  const enabled = [...units, ...scripts].filter((name) => name.includes('nginx'))
  if (enabled.length > 0) throw new Error(`nginx would start by itself: ${enabled.join(' ')}`)
  if (!existsSync(join(bare, 'usr/sbin/nginx'))) throw new Error('nginx was not installed at all')
}

async function makeDebian() {
  say('making a bare Debian 12')
  rmSync(bare, { recursive: true, force: true })
  mkdirSync(bare, { recursive: true })
  const { code, output } = await run('debootstrap', ['--variant=minbase', 'bookworm', bare, mirror()])
  if (code !== 0) throw new Refusal(`debootstrap failed:\n${output.slice(-3_000)}`)
  writeFileSync(join(bare, 'usr/sbin/policy-rc.d'), POLICY, { mode: 0o755 })
  appendFileSync(join(bare, 'etc/passwd'), `person:x:${PERSON}:${PERSON}::/home/person:/bin/sh\n`)
  appendFileSync(join(bare, 'etc/group'), `person:x:${PERSON}:\n`)
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

/** Starts it with the demo, looks around as a newcomer does and stops it as Ctrl-C does. Resolves with the password. */
async function startOnce(dir, uid, knownPassword) {
  let password
  const look = async (printed) => {
    password = await lookAround(printed, knownPassword)
  }
  const { seen, code, lookError } = await inside(dir, uid, ['npm', 'start', '--', '--demo'], {
    limit: 15 * MINUTE,
    look,
  })
  if (lookError) throw lookError
  if (!seen.includes('all processes have stopped') || code !== 0) throw new Error(`it ended with ${code}`)
  return password
}

/**
 * Runs a command in the bare Debian, with process ids and mounts of its own: all of it ends with it. With `look` it is
 * called once everything runs, and the command is stopped after it.
 */
async function inside(dir, uid, command, { limit, look }) {
  const child = enter(dir, uid, command)
  let seen = ''
  let looked
  const end = (signal) => {
    try {
      // The terminal's Ctrl-C goes to the whole foreground group.
      process.kill(-child.pid, signal)
    } catch {
      // It has ended by itself.
    }
  }
  const take = (chunk) => {
    process.stdout.write(chunk)
    seen += chunk
    if (!look || looked || !seen.includes(READY)) return
    looked = look(seen)
      .then(
        () => undefined,
        (error) => error,
      )
      .finally(() => end('SIGINT'))
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const timer = setTimeout(() => end('SIGKILL'), limit)
  const onSignal = () => {
    end('SIGKILL')
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, onSignal)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, onSignal)
  return { seen, code, lookError: looked ? await looked : look && new Error(`it ended with ${code} before it ran`) }
}

function enter(dir, uid, command) {
  const script = [
    'set -e',
    // A mount point of its own: tests make mount namespaces, which a mere folder as the root would refuse.
    'mount --make-rprivate /; mount --bind "$1" "$1"',
    'mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; mount -t tmpfs tmpfs "$1/run"; mkdir -p "$1/run/lock"',
    'root="$1"; dir="$2"; uid="$3"; shift 3',
    'exec chroot --userspec="$uid:$uid" "$root" env -i "HOME=$([ "$uid" = 0 ] && echo /root || echo /home/person)"' +
      ' PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin CI=true TIDEGATE_HTTP_PORT=0 TIDEGATE_AGENT_PORT=0' +
      ' TIDEGATE_EDGE_HTTP_PORT=0 TIDEGATE_EDGE_HTTPS_PORT=0 NODE_EXTRA_CA_CERTS=/etc/extra-ca.crt' +
      ' sh -c \'cd "$1"; shift; exec "$@"\' sh "$dir" "$@"',
  ].join('\n')
  const args = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh', bare, dir, `${uid}`, ...command]
  return spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
}
