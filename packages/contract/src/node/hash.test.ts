import { describe, expect, it } from 'vitest'
import { canonicalJson, resourceHash, sha256Hex } from './hash.ts'

describe('canonicalJson', () => {
  it('does not depend on the order in which members were written', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'ä' }], a: true })).toBe('{"a":true,"b":[1,{"c":"ä","d":null}]}')
    expect(resourceHash({ a: 1, b: 2 })).toBe(resourceHash({ b: 2, a: 1 }))
  })
  it('leaves out undefined members, as the wire does', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
  })
  it('refuses what JSON cannot carry', () => {
    expect(() => canonicalJson(undefined)).toThrow(TypeError)
    expect(() => canonicalJson(1n)).toThrow(TypeError)
  })
  it('gives a removed resource the empty hash', () => {
    expect(resourceHash(null)).toBe('')
    expect(resourceHash({})).toBe(sha256Hex('{}'))
  })
})
