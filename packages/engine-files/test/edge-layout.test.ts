import { describe, expect, it } from 'vitest'
import { chooseWorkerUser, edgeDirs, edgeSockets } from '../src/edge-layout.ts'

describe('edge layout', () => {
  it('runs workers as nobody where everybody may walk to their directories, else as root', () => {
    const modes: Record<string, number> = { '/root': 0o40700, '/var': 0o40755, '/var/cache': 0o40755 }
    const modeOf = (path: string) => modes[path] ?? null
    expect(chooseWorkerUser(0, ['/var/cache/tidegate', '/run/tg'], modeOf)).toBe('nobody')
    expect(chooseWorkerUser(0, ['/var/cache/tidegate', '/root/tidegate/data/temp'], modeOf)).toBe('root')
    expect(chooseWorkerUser(1000, ['/root/x'], modeOf)).toBe(null)
  })

  it('protects the admin socket and the worker sockets by directories that one user can enter', () => {
    const dirs = edgeDirs({ runtimeDir: '/run/tg', stateDir: '/s', cacheDir: '/c', tempDir: '/t' })
    const modeOf = (path: string) => dirs.find((dir) => path.startsWith(`${dir.path}/`) && dir.path !== '/run/tg')!.mode
    const sockets = edgeSockets('/run/tg')
    for (const path of [sockets.admin, sockets.inner, sockets.log]) expect(modeOf(path)).toBe(0o700)
  })
})
