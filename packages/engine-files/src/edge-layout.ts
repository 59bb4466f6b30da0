/** Directories, sockets and the worker's user of an edge node, as data. See edge/README.md for the table in words. */

/** Unix socket paths are cut silently by some runtimes; the kernel takes 107 bytes. */
export const SOCKET_PATH_MAX = 100

export interface EdgeSockets {
  admin: string
  inner: string
  log: string
  pid: string
}

/** Socket and pid paths below the runtime directory. Throws when one of the sockets would be too long. */
export function edgeSockets(runtimeDir: string): EdgeSockets {
  const sockets = {
    admin: `${runtimeDir}/ctl/admin.sock`,
    inner: `${runtimeDir}/work/inner.sock`,
    log: `${runtimeDir}/work/log.sock`,
    pid: `${runtimeDir}/ctl/nginx.pid`,
  }
  for (const path of [sockets.admin, sockets.inner, sockets.log]) {
    const bytes = new TextEncoder().encode(path).length
    if (bytes > SOCKET_PATH_MAX) throw new Error(`socket path of ${bytes} bytes is too long: ${path}`)
  }
  return sockets
}

export interface EdgeDir {
  path: string
  mode: number
  owner: 'agent' | 'worker'
}

/** Directories to make before nginx starts, parents first. */
export function edgeDirs(dirs: { runtimeDir: string; stateDir: string; cacheDir: string; tempDir: string }): EdgeDir[] {
  return [
    { path: dirs.runtimeDir, mode: 0o711, owner: 'agent' },
    { path: `${dirs.runtimeDir}/ctl`, mode: 0o700, owner: 'agent' },
    { path: `${dirs.runtimeDir}/work`, mode: 0o700, owner: 'worker' },
    { path: dirs.stateDir, mode: 0o700, owner: 'agent' },
    { path: dirs.cacheDir, mode: 0o700, owner: 'worker' },
    { path: dirs.tempDir, mode: 0o700, owner: 'worker' },
  ]
}

/**
 * User of the worker processes: null when we are not root (nginx then ignores `user`), `nobody` when everybody may walk to
 * the given directories, else `root` (a data directory below /root cannot be reached by anyone else).
 * `modeOf` gives the permission bits of an existing directory, null when it does not exist (it will be made 0755).
 */
export function chooseWorkerUser(
  uid: number,
  dirs: string[],
  modeOf: (path: string) => number | null,
): 'nobody' | 'root' | null {
  if (uid !== 0) return null
  const open = dirs.every((dir) => parents(dir).every((parent) => ((modeOf(parent) ?? 0o755) & 0o001) !== 0))
  return open ? 'nobody' : 'root'
}

function parents(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.slice(0, -1).map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
}
