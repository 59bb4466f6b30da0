/** The whole-system tests run what is delivered: the bundles are built once, before the first of them. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export default function setup(): void {
  const root = join(import.meta.dirname, '..')
  execFileSync(process.execPath, [join(root, 'bin', 'build.mjs')], { cwd: root, stdio: 'inherit', timeout: 300_000 })
}
