// @vitest-environment jsdom

import { renderHook } from '@testing-library/react'
import { operations } from '@tidegate/contract/operations/index'
import { describe, expect, it } from 'vitest'
import { inBrowser } from '../../testing/browser.ts'
import { chooseLang } from '../i18n.ts'
import { useActionWords } from './words.ts'

inBrowser()

describe('actions of the log', () => {
  it.each(['zh', 'en'] as const)('have words in %s for every operation that changes something', async (lang) => {
    await chooseLang(lang)
    const { result } = renderHook(() => useActionWords())
    const ids = operations.filter((op) => op.effect === 'write').map((op) => op.id)
    expect(ids.length).toBeGreaterThan(80)
    expect(ids.filter((id) => result.current(id) === undefined)).toEqual([])
    const foreign = ids.filter((id) => /[\u4e00-\u9fff]/.test(result.current(id) ?? '') !== (lang === 'zh'))
    expect(foreign).toEqual([])
  })
})
