/** A disk that fills up: on a small file system of its own, for which the test must be allowed to mount one. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startOrigin } from './lib/origin.ts'
import { waitFor } from './lib/wait.ts'
import { Stack } from './stack.ts'

/** Low is under 1 GiB; the installation itself takes some hundred MiB. */
const SIZE_MB = 1_800
const GIB = 1024 ** 3
/** The server looks every 10 s. */
const LOOK_MS = 20_000

const dir = mkdtempSync(join(tmpdir(), 'tidegate-disk-'))
const mounted = mount()
let stack: Stack | undefined

function mount(): boolean {
  if (process.getuid?.() !== 0) return false
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=0711`, 'tidegate-e2e', dir], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

const free = () => {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}
/** Takes so many bytes of the disk, all that are left when there are fewer. */
function fill(name: string, bytes: number): void {
  const block = Buffer.alloc(1024 ** 2)
  const file = openSync(join(dir, name), 'w')
  try {
    for (let left = bytes; left > 0; left -= block.length) writeSync(file, block, 0, Math.min(left, block.length))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

beforeAll(async () => {
  if (!mounted) return
  mkdirSync(join(dir, 'data'), { mode: 0o711 })
  stack = await Stack.start({ dataDir: join(dir, 'data') })
})
afterAll(async () => {
  await stack?.destroy()
  if (mounted) execFileSync('umount', [dir], { stdio: 'pipe' })
  rmSync(dir, { recursive: true, force: true })
})

describe('a disk that is nearly full', () => {
  it('refuses writes in the language of who writes, says so before, and loses nothing acknowledged', async ({
    skip,
  }) => {
    if (!mounted) skip('only root may mount the small file system that this needs')
    if (!stack) throw new Error('not started')
    const { api } = stack
    const origin = await startOrigin('only', { cacheControl: () => 'no-store' })
    try {
      const before = await stack.saveSite('before.disk.test', origin)
      expect((await stack.pushed(before.push)).state).toBe('done')
      expect((await api.call('overview.state', {})).data.disk.low).toBe(false)

      fill('ballast', free() - GIB / 2)
      await waitFor(async () => (await api.call('overview.state', {})).data.disk.low, 'the warning', LOOK_MS)
      const { data: state } = await api.call('overview.state', {})
      expect(state.attention.map(({ key }) => key)).toContain('low_disk')
      const save = (lang: 'zh' | 'en') =>
        api.call(
          'site.save',
          {
            domains: ['during.disk.test'],
            originProtocol: 'http',
            origins: [{ host: origin.host, port: origin.port }],
          },
          lang,
        )
      await expect(save('zh')).rejects.toMatchObject({
        status: 503,
        body: { error: 'low_disk', msg: '服务器磁盘空间不足，暂时不能保存' },
      })
      await expect(save('en')).rejects.toMatchObject({
        status: 503,
        body: { error: 'low_disk', msg: expect.stringMatching(/disk space/) },
      })

      // Then there is no room at all: what was acknowledged is still read and served.
      fill('rest', free())
      expect(free()).toBeLessThan(1024 ** 2)
      await expect(save('en')).rejects.toMatchObject({ status: 503, body: { error: 'low_disk' } })
      expect((await stack.visit('before.disk.test')).body).toContain('only before.disk.test')
      const { data } = await api.call('site.list', {})
      expect(data.list.map(({ domains }) => domains)).toEqual([['before.disk.test']])

      for (const name of ['ballast', 'rest']) rmSync(join(dir, name))
      const after = await waitFor(() => save('en').catch(() => undefined), 'room to write again', LOOK_MS)
      expect((await stack.pushed(after.push)).state).toBe('done')
      expect((await stack.visit('before.disk.test')).body).toContain('only before.disk.test')
      expect((await stack.visit('during.disk.test')).body).toContain('only during.disk.test')
      expect((await api.call('site.info', { id: before.id })).data.domains).toEqual(['before.disk.test'])
    } finally {
      await origin.close()
    }
  })
})
