/**
 * Where nginx, its modules and its Lua libraries are: on the host as Debian installs them, or below a prefix into which the
 * same packages were unpacked without root (`dpkg-deb -x`). Pure: nothing is looked up on the disk.
 */

export interface EnginePaths {
  /** The prefix, '' for the host. */
  root: string
  nginx: string
  /** In the order in which nginx must load them. */
  modules: string[]
  /** Directories with `?.lua` files. */
  luaPath: string[]
  /** Directories with `?.so` files. */
  luaCpath: string[]
  /** Variables that the nginx process needs. */
  env: Record<string, string>
}

/** Debian's multiarch directory for what Node calls the architecture. */
const MULTIARCH: Record<string, string> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }

/**
 * Paths of the engine below `root` ('' = the host). `arch` is Node's word (x64, arm64).
 * Throws for an architecture that we do not know.
 */
export function enginePaths(root: string, arch: string = process.arch): EnginePaths {
  const multiarch = MULTIARCH[arch]
  if (multiarch === undefined) throw new Error(`no engine for architecture ${arch}`)
  const prefix = root.replace(/\/+$/, '')
  const usrLib = `${prefix}/usr/lib`
  return {
    root: prefix,
    nginx: `${prefix}/usr/sbin/nginx`,
    modules: ['ndk_http_module.so', 'ngx_http_lua_module.so'].map((name) => `${usrLib}/nginx/modules/${name}`),
    luaPath: [`${prefix}/usr/share/lua/5.1`],
    luaCpath: [`${usrLib}/${multiarch}/lua/5.1`],
    env: prefix === '' ? {} : { LD_LIBRARY_PATH: `${usrLib}/${multiarch}:${prefix}/lib/${multiarch}` },
  }
}

/**
 * The command line that tests or starts nginx with a rendered file; nginx stays in the foreground. Started in `cwd`, all its
 * processes can be told from other nginx processes by their working directory, also those that outlive a killed master.
 */
export function nginxCommand(
  engine: EnginePaths,
  paths: { conf: string; errorLog: string; runtimeDir: string },
  action: 'test' | 'start',
): { file: string; args: string[]; env: Record<string, string>; cwd: string } {
  const args = ['-e', paths.errorLog, '-c', paths.conf]
  const cwd = paths.runtimeDir
  return { file: engine.nginx, args: action === 'test' ? [...args, '-t'] : args, env: engine.env, cwd }
}
