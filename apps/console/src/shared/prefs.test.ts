// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { acceptPrefs, DEFAULT_PREFS } from './prefs.ts'

describe('what a person has not chosen', () => {
  it('is the layout of the specification: top to bottom, a dark header, a light aside and main part [S9.10]', () => {
    expect(acceptPrefs(null)).toEqual(DEFAULT_PREFS)
    expect(DEFAULT_PREFS).toMatchObject({ layout: 'ttb', theme: 'light', darkHeader: true, darkAside: false })
    expect(DEFAULT_PREFS.collapsed).toBe(false)
  })

  it('takes its default where what was stored is not understood, and keeps the rest', () => {
    const stored = { layout: 'rtl', theme: 'dark', darkAside: true, header: { lock: false, x: 1 }, table: { size: 9 } }
    expect(acceptPrefs(stored)).toEqual({
      ...DEFAULT_PREFS,
      theme: 'dark',
      darkAside: true,
      header: { ...DEFAULT_PREFS.header, lock: false },
    })
  })
})
