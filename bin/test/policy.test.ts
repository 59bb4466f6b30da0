import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { withoutServiceStarts } from '../lib/policy.mjs'

const dirs: string[] = []
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true })
})

function places() {
  const dir = mkdtempSync(join(tmpdir(), 'tidegate-policy-'))
  dirs.push(dir)
  return { policy: join(dir, 'policy-rc.d'), lock: join(dir, 'lock') }
}

it('forbids service starts while packages are installed and leaves nothing behind', async () => {
  const at = places()
  const status = await withoutServiceStarts(async () => spawnSync(at.policy, ['nginx', 'start']).status, at)
  expect(status).toBe(101)
  expect(existsSync(at.policy)).toBe(false)
})

it('puts a policy that was there before back, also after a failure', async () => {
  const at = places()
  writeFileSync(at.policy, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  const failing = withoutServiceStarts(async () => {
    expect(spawnSync(at.policy, ['nginx', 'start']).status).toBe(101)
    throw new Error('apt failed')
  }, at)
  await expect(failing).rejects.toThrow('apt failed')
  expect(readFileSync(at.policy, 'utf8')).toBe('#!/bin/sh\nexit 0\n')
})

it('lets one installation wait for another, so that neither sees the other one’s policy as the host’s', async () => {
  const at = places()
  writeFileSync(at.policy, 'the host’s', { mode: 0o755 })
  const running: number[] = []
  const work = async () => {
    running.push(1)
    expect(running.length).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    running.pop()
  }
  await Promise.all([withoutServiceStarts(work, at), withoutServiceStarts(work, at), withoutServiceStarts(work, at)])
  expect(readFileSync(at.policy, 'utf8')).toBe('the host’s')
})

it('puts right what a killed run left behind', async () => {
  const at = places()
  writeFileSync(`${at.policy}.tidegate-saved`, 'the host’s')
  writeFileSync(
    at.policy,
    '#!/bin/sh\n# Put here by tidegate while it installs packages: nothing may be started.\nexit 101\n',
  )
  await withoutServiceStarts(async () => {}, at)
  expect(readFileSync(at.policy, 'utf8')).toBe('the host’s')
  expect(existsSync(`${at.policy}.tidegate-saved`)).toBe(false)
})
