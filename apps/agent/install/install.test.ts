/**
 * The install script, run for real in a mount namespace of its own: the folders it writes to are empty file systems that vanish
 * with it, and `systemctl` is a program that starts the unit's command by hand. Nothing of the host is touched.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '@tidegate/contract/node/hash'
import { freePorts } from '@tidegate/testkit/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signalProcess, startTimeOf } from '../src/engine/proc.ts'
import { ControlPlane } from '../src/testing/control-plane.ts'
import { bundleAgent } from '../src/testing/node.ts'
import { until } from '../src/testing/wait.ts'

/** Stands for systemd: `restart` starts the unit's ExecStart with its EnvironmentFile, as systemd would. */
const SYSTEMCTL = `#!/bin/sh
echo "$*" >>"$WORK_DIR/systemctl.log"
case "$1" in
  is-active) exit 3 ;;
  restart)
    set -a; . /etc/tidegate/agent.env; set +a
    mkdir -p -m 711 /run/tidegate-node
    $(sed -n 's/^ExecStart=//p' "/etc/systemd/system/$2") >"$WORK_DIR/agent.log" 2>&1 &
    echo $! >"$WORK_DIR/agent.pid" ;;
esac
`

let dir: string
let plane: ControlPlane
let script: string
let ports: number[]

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tga-install-'))
  plane = await ControlPlane.start()
  ports = await freePorts(2, '0.0.0.0')
  const packed = spawnSync(process.execPath, [
    join(import.meta.dirname, 'pack.mjs'),
    await bundleAgent(),
    join(dir, 'files'),
  ])
  expect(packed.status, packed.stderr.toString()).toBe(0)
  const archive = await readFile(join(dir, 'files/agent.tar.gz'))
  plane.files.set('agent.tar.gz', archive)
  const text = await readFile(join(dir, 'files/install.sh'), 'utf8')
  script = join(dir, 'install.sh')
  await writeFile(script, text.replace('{{sha256:agent.tar.gz}}', sha256Hex(archive)))
  await writeFile(join(dir, 'systemctl'), SYSTEMCTL, { mode: 0o755 })
})

afterEach(async () => {
  await plane.stop()
  await rm(dir, { recursive: true, force: true })
})

/** Runs the script with private /etc, /var/lib (layers over the host's), /opt and /run; `then` runs after it. */
function install(env: Record<string, string>, then = 'true'): { child: ChildProcess; output: () => string } {
  const layer = (path: string, name: string) => [
    `mkdir -p "$UPPER/${name}/new" "$UPPER/${name}/work"`,
    `mount -t overlay -o "lowerdir=${path},upperdir=$UPPER/${name}/new,workdir=$UPPER/${name}/work" overlay ${path}`,
  ]
  const steps = [
    'mkdir "$UPPER"',
    'mount -t tmpfs tmpfs "$UPPER"',
    ...layer('/etc', 'etc'),
    ...layer('/var/lib', 'lib'),
    'mkdir -p /etc/systemd/system',
    'mount -t tmpfs -o mode=755 tmpfs /opt',
    'mount -t tmpfs -o mode=755 tmpfs /run',
    `sh ${script}`,
    then,
  ]
  let text = ''
  const child = spawn('/usr/bin/unshare', ['-m', 'sh', '-c', steps.join(' && ')], {
    env: {
      PATH: `${dir}:${process.env.PATH}`,
      WORK_DIR: dir,
      UPPER: join(dir, 'upper'),
      LANG: 'C',
      TIDEGATE_AGENT_URL: plane.url,
      TIDEGATE_CA_SHA256: plane.authority.caSha256,
      TIDEGATE_ENROLL_TOKEN: plane.issueToken(),
      TIDEGATE_EDGE_HTTP_PORT: String(ports[0]),
      TIDEGATE_EDGE_HTTPS_PORT: String(ports[1]),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  return { child, output: () => text }
}

async function codeOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit')
  return child.exitCode
}

async function endByPid(pid: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const startTime = await startTimeOf(pid)
  if (startTime === undefined) return
  await signalProcess({ pid, startTime }, signal)
  await until('the process ends', async () => (await startTimeOf(pid)) === undefined)
}

describe('the install script', () => {
  it('is plain sh', () => {
    expect(spawnSync('sh', ['-n', script]).status).toBe(0)
  })

  it('installs, enrols and reports a node that serves [N12]', async () => {
    const { child, output } = install(
      {},
      'cat /var/lib/tidegate-node/engine/master.json && stat -c %a /etc/tidegate/agent.env',
    )
    const code = await codeOf(child)
    const log = await readFile(join(dir, 'agent.log'), 'utf8').catch(() => '')
    const agent = Number(await readFile(join(dir, 'agent.pid'), 'utf8').catch(() => '0'))
    const master = Number(/"pid":(\d+)/.exec(output())?.[1] ?? 0)
    if (agent > 0) await endByPid(agent, 'SIGKILL')
    // Told to end, it takes its helpers with it.
    if (master > 0) await endByPid(master, 'SIGTERM')
    expect(code, `${output()}\n${log}`).toBe(0)
    expect(output()).toContain('600')
    expect(plane.tokens.size).toBe(0)
    expect(await readFile(join(dir, 'systemctl.log'), 'utf8')).toContain('enable --quiet tidegate-agent.service')
  })

  it('runs nothing of a download whose hash is not the announced one', async () => {
    plane.files.set('agent.tar.gz', Buffer.from('something else'))
    const { child, output } = install({}, 'ls -A /opt')
    expect(await codeOf(child)).toBe(1)
    expect(output()).toContain('Nothing was installed')
    expect(plane.tokens.size).toBe(1)
  })

  it('refuses values that are not what the console gives, in the language of the machine', async () => {
    const { child, output } = install({ TIDEGATE_AGENT_URL: "https://a'; touch /tmp/x; '", LANG: 'zh_CN.UTF-8' })
    expect(await codeOf(child)).toBe(1)
    expect(output()).toContain('安装命令不完整')
  })
})
