import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findLanguageFaults } from '../lib/languages.mjs'

it('finds texts that one language lacks, other placeholders, and texts that nothing uses', () => {
  const root = mkdtempSync(join(tmpdir(), 'tidegate-languages-'))
  const locales = join(root, 'apps', 'console', 'src', 'locales')
  mkdirSync(locales, { recursive: true })
  const en = {
    site: { title: 'Sites', count: '{{n}} sites', gone: 'x', state: { on: 'On' } },
    only: 'here',
    quoted: 'The site’s',
  }
  const zh = { site: { title: '网站', count: '{{m}} 个网站', gone: '无', state: { on: '开' } }, quoted: '网站“的”' }
  writeFileSync(join(locales, 'en.json'), JSON.stringify(en))
  writeFileSync(join(locales, 'zh.json'), JSON.stringify(zh))
  writeFileSync(
    join(root, 'apps/console/src/a.ts'),
    ["t('site.title'); t('site.count', { n }); t(`site.state.", "{s}`); t('only'); t('quoted')"].join('$'),
  )
  const faults = findLanguageFaults(root)
  rmSync(root, { recursive: true })
  expect(faults.map((fault: string) => fault.replace(/^.*locales: /, ''))).toEqual([
    'site.count has other placeholders in Chinese',
    'site.gone is not used',
    'only has no Chinese text',
    'quoted has curly quotation marks in English',
  ])
})

it('finds what one of the edge’s tables of texts lacks', () => {
  const root = mkdtempSync(join(tmpdir(), 'tidegate-languages-'))
  const lua = join(root, 'edge', 'lua', 'tidegate')
  mkdirSync(join(lua, 'locale'), { recursive: true })
  const table = (...lines: string[]) => ['return {', ...lines, '}', ''].join('\n')
  writeFileSync(
    join(lua, 'locale', 'en.lua'),
    table('    host = "Host",', '    titles = {', '        gone = "Gone",', '        old = "x",', '    },'),
  )
  writeFileSync(
    join(lua, 'locale', 'zh.lua'),
    table('    host = "主机",', '    titles = {', '        old = "无",', '    },', '    time = "时间",'),
  )
  writeFileSync(join(lua, 'pages.lua'), 'return { words.host, words.time, "gone" }\n')
  const faults = findLanguageFaults(root)
  rmSync(root, { recursive: true })
  expect(faults.map((fault: string) => fault.replace(/^.*locale: /, ''))).toEqual([
    'time has no English text',
    'titles.gone has no Chinese text',
    'titles.old is not used',
  ])
})

/** Names of the languages and of what is called the same everywhere. */
const MIXED = ['switchLang']
const CHINESE = /[\u3400-\u9fff]/

it('finds both languages complete in every table of texts of this project, each in its own words [S1.2]', () => {
  const root = join(import.meta.dirname, '../..')
  expect(findLanguageFaults(root)).toEqual([])
  const files = ['apps/console/src', 'packages/ui/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('locales/en.json'))
      .map((file) => join(folder, file)),
  )
  expect(files.length).toBeGreaterThan(20)
  for (const file of files) {
    const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, string>
    const [en, zh] = [read(file), read(file.replace(/en\.json$/, 'zh.json'))]
    for (const [key, text] of Object.entries(en)) {
      if (MIXED.includes(key)) continue
      expect([file, key, CHINESE.test(text)]).toEqual([file, key, false])
      // A text of English words has Chinese ones beside it, but for names and units.
      if (/[a-z]{3,} [a-z]{3,}/.test(text)) expect([file, key, CHINESE.test(zh[key] ?? '')]).toEqual([file, key, true])
    }
  }
})
