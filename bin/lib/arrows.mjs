import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Which package may import which, beside itself. Everything may import the contract. */
const packages = {
  'packages/contract': [],
  'packages/node-config': [],
  'packages/engine-files': [],
  'packages/ui': [],
  'packages/embedded': [],
  'packages/testkit': ['packages/embedded'],
  'apps/server': ['packages/node-config', 'packages/engine-files'],
  'apps/agent': ['packages/engine-files'],
  'apps/console': ['packages/ui'],
  'apps/launcher': ['packages/embedded'],
  'apps/chdb': ['packages/embedded'],
  edge: ['packages/engine-files'],
  dns: ['packages/engine-files'],
}

/** Whole-system tests and benchmarks look into everything. */
const free = ['e2e', 'bench']

/** Rules inside one app: `from` and `to` match paths; a rule forbids. `sameGroup` lets a folder import itself. */
const inner = [
  {
    why: 'the platform knows no business: it imports neither modules nor http',
    from: /^apps\/server\/src\/platform\//,
    to: /^apps\/server\/src\/(modules|http|main)/,
  },
  {
    why: 'modules do not import http',
    from: /^apps\/server\/src\/modules\//,
    to: /^apps\/server\/src\/(http|main)/,
  },
  {
    why: 'nobody imports publish: writers go through withConfigChange',
    from: /^apps\/server\/src\/(http|platform|modules\/(?!publish\/))/,
    to: /^apps\/server\/src\/modules\/publish\//,
  },
  {
    why: 'a module is reached through its index.ts only',
    from: /^apps\/server\/src\/(?:modules\/([^/]+)\/|http\/|main)/,
    to: /^apps\/server\/src\/modules\/([^/]+)\/(?!index\.ts$)/,
    sameGroup: true,
  },
  {
    why: 'features of the console do not import each other',
    from: /^apps\/console\/src\/features\/([^/]+)\//,
    to: /^apps\/console\/src\/features\/([^/]+)\//,
    sameGroup: true,
  },
  {
    why: 'features of the console do not import app',
    from: /^apps\/console\/src\/features\//,
    to: /^apps\/console\/src\/app\//,
  },
  {
    why: 'what the console shares imports neither features nor app',
    from: /^apps\/console\/src\/shared\//,
    to: /^apps\/console\/src\/(features|app)\//,
  },
]

/** All imports below `root` that go against the arrows: `{ file, specifier, why }`. */
export function findWrongImports(root) {
  const names = workspaceNames(root)
  const wrong = []
  for (const file of sourceFiles(root)) {
    for (const specifier of specifiersOf(join(root, file))) {
      const target = resolveImport(root, names, file, specifier)
      const why = target && reasonAgainst(file, target)
      if (why) wrong.push({ file, specifier, why })
    }
  }
  return wrong
}

/** Why this import may not be, or undefined. Both are paths from the project's folder. */
export function reasonAgainst(file, target) {
  const from = areaOf(file)
  const to = areaOf(target)
  if (free.includes(from)) return undefined
  const isTest = /\.test\.tsx?$|\/test\/|\/testing\//.test(file)
  if (from !== to) {
    if (to === 'packages/contract' || (to === 'packages/testkit' && isTest)) return undefined
    if (to.startsWith('apps/')) return 'nobody imports an app'
    return packages[from]?.includes(to) ? undefined : `${from} may not import ${to}`
  }
  if (isTest) return undefined
  return inner.find((rule) => applies(rule, file, target))?.why
}

function applies(rule, file, target) {
  const from = rule.from.exec(file)
  const to = rule.to.exec(target)
  return from && to && !(rule.sameGroup && from[1] !== undefined && from[1] === to[1])
}

function areaOf(path) {
  const [first, second] = path.split('/')
  return first === 'apps' || first === 'packages' ? `${first}/${second}` : first
}

/** The file or folder that an import means inside the project, undefined for npm packages and Node's own modules. */
function resolveImport(root, names, file, specifier) {
  if (specifier.startsWith('.')) {
    const target = normalize(join(dirname(file), specifier))
    return existsSync(join(root, target)) && statSync(join(root, target)).isFile() ? target : `${target}/`
  }
  const [, name, rest] = /^(@[^/]+\/[^/]+)(?:\/(.*))?$/.exec(specifier) ?? []
  return names[name] ? `${names[name]}/src/${rest ?? 'index'}.ts` : undefined
}

function workspaceNames(root) {
  const names = {}
  for (const folder of Object.keys(packages).filter((name) => name.includes('/'))) {
    const file = join(root, folder, 'package.json')
    if (existsSync(file)) names[JSON.parse(readFileSync(file, 'utf8')).name] = folder
  }
  return names
}

function specifiersOf(path) {
  const { module } = parseSync(path, readFileSync(path, 'utf8'))
  const found = module.staticImports.map((entry) => entry.moduleRequest.value)
  for (const { entries } of module.staticExports) {
    for (const entry of entries) if (entry.moduleRequest) found.push(entry.moduleRequest.value)
  }
  for (const entry of module.dynamicImports) {
    const text = readFileSync(path, 'utf8').slice(entry.moduleRequest.start, entry.moduleRequest.end)
    const literal = /^['"`]([^'"`$]+)['"`]$/.exec(text)
    if (literal) found.push(literal[1])
  }
  return found
}

function sourceFiles(root) {
  const skipped = ['node_modules', 'dist', 'data', 'migrations', '.git']
  const walk = (dir) =>
    readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
      const path = join(dir, entry.name)
      if (entry.isDirectory()) return skipped.includes(entry.name) ? [] : walk(path)
      return /\.(ts|tsx|mts|mjs)$/.test(entry.name) ? [relative(root, path)] : []
    })
  return ['apps', 'packages', 'edge', 'dns', 'e2e', 'bench']
    .filter((top) => existsSync(join(root, top)))
    .flatMap((top) => walk(join(root, top)))
}
