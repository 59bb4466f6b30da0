import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cssVariables, PALETTES } from './tokens.ts'

const ROOTS = [import.meta.dirname, join(import.meta.dirname, '../../../apps/console/src')]
/** Style sheets, and what draws with colours itself. */
const STYLED = /\.(css|tsx?)$/

const sources = ROOTS.flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => STYLED.test(name))
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') })),
)

describe('colours', () => {
  it('that a style asks for exist: an unknown one would silently be that of the text around', () => {
    // A sheet may have properties of its own.
    const own = sources.flatMap(({ text }) => [...text.matchAll(/(--[\w-]+)['"\]]*\s*:/g)].map(([, name]) => name))
    const known = new Set([...Object.keys(cssVariables('light', 'blue')), ...own])
    const unknown = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/var\((--[\w-]+)/g)].filter(([, asked]) => !known.has(asked)).map(([use]) => `${name}: ${use}`),
    )
    expect(unknown).toEqual([])
  })

  it('are the same set in light and dark', () => {
    expect(Object.keys(PALETTES.dark)).toEqual(Object.keys(PALETTES.light))
  })
})
