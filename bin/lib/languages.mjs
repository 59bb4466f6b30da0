import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const skipped = ['node_modules', 'dist', 'data', '.git', '.cache']

/**
 * Looks at every folder `locales` that has `zh` and `en` (as `zh.json` or as folders of JSON files) and returns what is
 * missing or differs. Keys that no source below the same app or package names are reported too; a key built from parts
 * counts as named when its beginning stands in the sources as `'prefix.` or a template `prefix.${`. The edge's tables of
 * texts (`locale/zh.lua`, `locale/en.lua`) are looked at in the same way.
 */
export function findLanguageFaults(root) {
  const tops = ['apps', 'packages'].flatMap((top) => (existsSync(join(root, top)) ? children(join(root, top)) : []))
  const ofConsoles = tops.flatMap((top) => {
    const files = walk(top)
    const folders = [...new Set(files.map((file) => /^(.*\/locales)\//.exec(file)?.[1]).filter(Boolean))]
    const sources = files.filter((file) => /\.(ts|tsx)$/.test(file)).map((file) => readFileSync(file, 'utf8'))
    return folders.flatMap((folder) => {
      const source = sources.join('\n')
      const keys = (language) => keysOf(folder, language, files)
      return faultsOf(relative(root, folder), keys('zh'), keys('en'), (key) => isNamed(key, source))
    })
  })
  return [...ofConsoles, ...edgeFaults(root)]
}

function edgeFaults(root) {
  const lua = join(root, 'edge', 'lua')
  if (!existsSync(lua)) return []
  const files = walk(lua).filter((file) => file.endsWith('.lua'))
  const folders = [...new Set(files.filter((file) => /\/locale\/(zh|en)\.lua$/.test(file)).map(dirname))]
  const sources = files.filter((file) => !folders.includes(dirname(file))).map((file) => readFileSync(file, 'utf8'))
  const source = sources.join('\n')
  const named = (key) => {
    const last = key.split('.').at(-1)
    return source.includes(`"${last}"`) || source.includes(`.${last}`)
  }
  return folders.flatMap((folder) =>
    faultsOf(relative(root, folder), luaKeys(join(folder, 'zh.lua')), luaKeys(join(folder, 'en.lua')), named),
  )
}

/** Flat keys of a Lua table of strings, one entry a line. */
function luaKeys(file) {
  const keys = new Map()
  const path = []
  if (!existsSync(file)) return keys
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, opened] = /^\s*(\w+) = \{$/.exec(line) ?? []
    const [, name, text] = /^\s*(\w+) = "(.*)",$/.exec(line) ?? []
    if (opened) path.push(opened)
    else if (name) keys.set([...path, name].join('.'), text)
    else if (/^\s+\},$/.test(line)) path.pop()
  }
  return keys
}

function faultsOf(where, zh, en, isUsed) {
  const faults = []
  for (const key of zh.keys()) if (!en.has(key)) faults.push(`${where}: ${key} has no English text`)
  for (const [key, text] of en) {
    const other = zh.get(key)
    if (other === undefined) faults.push(`${where}: ${key} has no Chinese text`)
    else if (placeholders(text) !== placeholders(other))
      faults.push(`${where}: ${key} has other placeholders in Chinese`)
    // Chinese fonts draw them as wide as a character of theirs.
    if (/[‘’“”]/.test(text)) faults.push(`${where}: ${key} has curly quotation marks in English`)
    if (!isUsed(key)) faults.push(`${where}: ${key} is not used`)
  }
  return faults
}

function isNamed(key, source) {
  // Plural forms are chosen by i18next.
  const name = key.replace(/_(zero|one|two|few|many|other)$/, '')
  const bare = name.replace(/^[^:]*:/, '')
  if (source.includes(`${bare}'`) || source.includes(`${bare}"`) || source.includes(`${bare}\``)) return true
  const parts = bare.split('.')
  return parts.some((_, n) => n > 0 && source.includes([...parts.slice(0, n), '${'].join('.')))
}

function placeholders(text) {
  return [...String(text).matchAll(/\{\{?\s*([\w.]+)/g)]
    .map((match) => match[1])
    .sort()
    .join(' ')
}

/** Flat keys of one language; with a folder per language each file's name is the namespace. */
function keysOf(folder, language, files) {
  const keys = new Map()
  for (const file of files) {
    const inside = relative(folder, file)
    if (!/\.json$/.test(file) || inside.startsWith('..')) continue
    const [, space] = new RegExp(`^${language}(?:-[A-Za-z]+)?(?:/(.+))?\\.json$`).exec(inside) ?? []
    if (space === undefined && !new RegExp(`^${language}(-[A-Za-z]+)?\\.json$`).test(inside)) continue
    flatten(JSON.parse(readFileSync(file, 'utf8')), space ? `${space}:` : '', keys)
  }
  return keys
}

function flatten(value, prefix, into) {
  for (const [key, child] of Object.entries(value)) {
    if (typeof child === 'object' && child !== null) flatten(child, `${prefix}${key}.`, into)
    else into.set(`${prefix}${key}`, child)
  }
}

function children(dir) {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(dir, entry.name))
}

function walk(dir) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) return skipped.includes(entry.name) ? [] : walk(path)
    return [path]
  })
}
