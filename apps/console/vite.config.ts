import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
// By path: the build tool bundles its configuration's own files, while a package of TypeScript would be left to Node.
import { operations } from '../../packages/contract/src/operations/index.ts'

/** Puts the finished table of operations in the place of its making, so that the login does not carry the schemas. */
const wireTable = (): Plugin => ({
  name: 'wire-table',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/src/shared/api/wire.ts')) return null
    const rows = operations.map((op) => {
      const { method, alsoMethods, path, effect } = op
      return [op.id, { method, alsoMethods, path, effect }]
    })
    const made = code.replace(
      /= Object\.fromEntries\([\s\S]*?\n\)\n/,
      `= ${JSON.stringify(Object.fromEntries(rows))}\n`,
    )
    if (made === code) throw new Error('wire.ts has another form than the build expects')
    return made.replace('import { type OperationId, operations }', 'import type { OperationId }')
  },
})

/** One build for all consoles: hashed files under /assets/, the page with a nonce that the server fills in. */
export default defineConfig({
  root: dirname(fileURLToPath(import.meta.url)),
  base: '/',
  plugins: [wireTable(), react()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: { target: 'es2022', manifest: true, chunkSizeWarningLimit: 1200, assetsInlineLimit: 0 },
})
