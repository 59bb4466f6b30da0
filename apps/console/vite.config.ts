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

/**
 * antd's scroll lock and scrollbar measure add style elements without the nonce that everything else of antd carries, which the policy refuses.
 * They all go through one function: it falls back to the page's nonce.
 */
const styleNonce = (): Plugin => ({
  name: 'style-nonce',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('@rc-component/util/es/Dom/dynamicCSS.js')) return null
    const from = 'if (csp?.nonce) {\n    styleNode.nonce = csp?.nonce;'
    if (!code.includes(from)) throw new Error('dynamicCSS.js has another form than the build expects')
    const nonce = `(csp?.nonce ?? document.querySelector('meta[name="csp-nonce"]')?.content)`
    return code.replace(from, `if (${nonce}) {\n    styleNode.nonce = ${nonce};`)
  },
})

/**
 * A page in the background is hidden by React's Activity, which undoes its effects. antd's motion takes that for the end of its element and, shown again,
 * renders nothing for a moment: what was typed into a drawer would be gone. It ends a motion that is under way, and stays mounted.
 */
const keptMotion = (): Plugin => ({
  name: 'kept-motion',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('@rc-component/motion/es/hooks/useStatus.js')) return null
    const from = 'mountedRef.current = false;\n'
    if (!code.includes(from)) throw new Error('useStatus.js has another form than the build expects')
    return code.replace(from, 'if (getStatus() !== STATUS_NONE) updateMotionEndStatus();\n')
  },
})

const NO_TREE = `
  const never = () => { throw new Error('rows are chosen one by one') }
  export { never as conductCheck, never as convertDataToEntities }
  export const arrAdd = (keys, key) => (keys.includes(key) ? keys : [...keys, key])
  export const arrDel = (keys, key) => keys.filter((one) => one !== key)
`
const NO_NOTIFICATION = 'export default () => [{}, null]'

/** Parts of antd that no screen shows: who takes them, by which name, and what stands in their place. */
const ABSENT: readonly { importer: string; source: string; code: string }[] = [
  // Filters stand above our tables, never in a column's head; their menu brings a tree.
  {
    importer: '/antd/es/table/hooks/useFilter/index.js',
    source: './FilterDropdown',
    code: 'export default () => null; export const flattenKeys = (filters) => filters ?? []',
  },
  // Rows are chosen by check boxes only; radio buttons bring the forms' store.
  { importer: '/antd/es/table/hooks/useSelection.js', source: '../../radio', code: 'export default () => null' },
  // A choice takes a row, never what lies below it.
  { importer: '/antd/es/table/hooks/useSelection.js', source: '@rc-component/tree', code: NO_TREE },
  // Nothing is announced in a corner; what waits shows our own bones.
  { importer: '/antd/es/app/App.js', source: '../notification/useNotification', code: NO_NOTIFICATION },
  { importer: '/antd/es/drawer/DrawerPanel.js', source: '../skeleton', code: 'export default () => null' },
  { importer: '/antd/es/modal/Modal.js', source: '../skeleton', code: 'export default () => null' },
  // Forms of an input and of a menu's button that no screen has.
  { importer: '/antd/es/input/index.js', source: './OTP', code: 'export default () => null' },
  { importer: '/antd/es/input/index.js', source: './Search', code: 'export default () => null' },
  { importer: '/antd/es/dropdown/index.js', source: './dropdown-button', code: 'export default () => null' },
]
/** The path of a package's file. */
const modules = (file: string) => fileURLToPath(new URL(`../../node_modules/${file}`, import.meta.url))

const ABSENT_ID = '\0absent-part:'

const slimParts = (): Plugin => ({
  name: 'slim-parts',
  enforce: 'pre',
  resolveId(source, importer) {
    const at = ABSENT.findIndex((part) => part.source === source && importer?.endsWith(part.importer))
    return at < 0 ? null : `${ABSENT_ID}${at}`
  },
  load: (id) => (id.startsWith(ABSENT_ID) ? ABSENT[Number(id.slice(ABSENT_ID.length))]?.code : null),
})

/** One build for all consoles: hashed files under /assets/, the page with a nonce that the server fills in. */
export default defineConfig({
  root: dirname(fileURLToPath(import.meta.url)),
  base: '/',
  plugins: [wireTable(), styleNonce(), keptMotion(), slimParts(), react()],
  resolve: {
    alias: [
      // The package names its development build only, which carries its warnings along.
      { find: /^react-router$/, replacement: modules('react-router/dist/production/index.mjs') },
    ],
  },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    manifest: true,
    chunkSizeWarningLimit: 1200,
    assetsInlineLimit: 0,
    // antd's own parts do nothing when they are loaded, but do not say so: without this, one name taken from their index brings all of them.
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: /node_modules\/@rc-component\//, sideEffects: false }] },
      // What is always fetched together is one file: fewer requests, and it packs better than in fifty.
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', test: /console\/src\/app\/main\.tsx$/, priority: 30 },
            {
              name: 'frame',
              // With the small parts that most pages have, with a list or without.
              test: /\/src\/(shell\/Shell|shared\/(Failed|Page|useSay)|CopyButton|FigureStrip|RefreshInterval|RelativeTime|StatusDot)\.tsx$/,
              priority: 20,
            },
            // Charts turn it too: it must not bring the tables along.
            { name: 'spin', test: /antd\/es\/spin\/index\.js$/, priority: 15 },
            {
              name: 'list',
              // Without what they stand on: a page without a list would fetch it all for one small part.
              includeDependenciesRecursively: false,
              test: /\/(antd\/es|@rc-component)\/(table|pagination|checkbox)\/|\/ui\/src\/(DataTable|BulkBar|Pager|columns|bulk|TableSettings|useStickyTop)\b|\/src\/shared\/list\/(?!ExportPanel|exports)/,
              priority: 10,
            },
          ],
        },
      },
    },
  },
})
