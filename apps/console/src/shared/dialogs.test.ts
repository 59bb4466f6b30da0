/** Every dialog and form of the consoles that asks the server for something shows that it is under way. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../../..')
const files = ['apps/console/src', 'packages/ui/src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .map((file) => join(folder, file)),
)

/** The opening tags of a component: from its name to the bracket that closes the tag, over arrows and braces. */
const tagsOf = (name: string): [file: string, tag: string][] =>
  files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return [...text.matchAll(new RegExp(`<${name}\\b`, 'g'))].map(({ index }): [string, string] => {
      let depth = 0
      let end = index
      for (; end < text.length; end += 1) {
        const c = text[end]
        if (c === '{') depth += 1
        if (c === '}') depth -= 1
        if (c === '>' && depth === 0 && text[end - 1] !== '=') break
      }
      return [file, text.slice(index, end)]
    })
  })

/** Those whose button only closes the dialog, or leads elsewhere. */
const closes = (tag: string) =>
  !tag.includes('onOk=') || /onOk=\{on(?:Close|Seen)\}|onOk=\{\(\) => \{\s*onClose\(\)/.test(tag)

const dialogs = tagsOf('PageModal').filter(([, tag]) => !closes(tag))
/** What it saves stays in this browser. */
const LOCAL = 'apps/console/src/shared/views/ViewsPanel.tsx'
const submits = tagsOf('Button').filter(([file, tag]) => tag.includes('htmlType="submit"') && file !== LOCAL)

describe('a wait for the server', () => {
  it('is looked for in all dialogs and forms', () => {
    expect([dialogs.length, submits.length].every((n) => n >= 8)).toBe(true)
  })
  it.each(dialogs)('is shown by the dialog in %s [S4.12]', (_file, tag) => {
    expect(tag).toMatch(/confirmLoading=\{|loading: busy/)
  })
  it.each(submits)('is shown by the form in %s [S4.12]', (_file, tag) => {
    expect(tag).toMatch(/loading=\{/)
  })
})
