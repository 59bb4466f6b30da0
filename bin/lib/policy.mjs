import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const MARK = '# Put here by tidegate while it installs packages'
const REFUSE = `#!/bin/sh\n${MARK}: nothing may be started.\nexit 101\n`

/**
 * Runs `work` while Debian's policy-rc.d forbids package scripts to start services. A policy that was there before is
 * put back, after a failure or a signal too; what a killed run left behind is put right by the next one.
 */
export async function withoutServiceStarts(
  work,
  { policy = '/usr/sbin/policy-rc.d', lock = '/var/lock/tidegate-install.lock' } = {},
) {
  const unlock = await exclusive(lock)
  const saved = `${policy}.tidegate-saved`
  const restore = () => {
    if (existsSync(policy) && readFileSync(policy, 'utf8').includes(MARK)) rmSync(policy)
    if (existsSync(saved)) renameSync(saved, policy)
  }
  const onSignal = (signal) => {
    restore()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  restore()
  if (existsSync(policy)) renameSync(policy, saved)
  writeFileSync(policy, REFUSE)
  chmodSync(policy, 0o755)
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  try {
    return await work()
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
    restore()
    unlock()
  }
}

/** Holds a lock of the kernel's for as long as this process lives or until it is given back. */
async function exclusive(file) {
  const holder = spawn('flock', [file, 'sh', '-c', 'echo held; exec cat >/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const [line] = await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit')])
  if (`${line}`.trim() !== 'held') throw new Error(`${file} cannot be locked`)
  return () => holder.stdin.end()
}
