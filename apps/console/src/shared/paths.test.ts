import { describe, expect, it } from 'vitest'
import { inAppPath } from './paths.ts'

describe('the way back after a login', () => {
  it('stays inside the app', () => {
    expect(inAppPath('/cdn/site/list?page=2')).toBe('/cdn/site/list?page=2')
    for (const bad of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '',
      '/login',
      '/redirect//x',
    ]) {
      expect(inAppPath(bad), bad).toBeNull()
    }
    expect(inAppPath(null)).toBeNull()
  })
})
