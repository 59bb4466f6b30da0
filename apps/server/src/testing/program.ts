/** The server's program as one file: a test that starts it many times would have its sources translated each time. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const SERVER = join(import.meta.dirname, '../..')

export interface Program {
  /** For `node FILE`. */
  file: string
  remove(): Promise<void>
}

/** Translates it; what comes from npm is loaded from where it is. The folder finds the migrations as the sources do. */
export const buildProgram = async (): Promise<Program> => {
  const file = join(SERVER, 'dist', `test-${randomBytes(6).toString('hex')}.mjs`)
  await build({
    entryPoints: [join(SERVER, 'src/main.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
    plugins: [
      {
        name: 'npm packages',
        setup: (plugin) =>
          plugin.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('@tidegate/') ? undefined : { path, external: true },
          ),
      },
    ],
  })
  return { file, remove: () => rm(file, { force: true }) }
}
