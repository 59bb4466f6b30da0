import { readdirSync, readFileSync } from 'node:fs'
import { canonicalJson, hashOf } from '@tidegate/contract/node/hash'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CompileError,
  compileCert,
  compileChallenge,
  compilePurge,
  compileSettings,
  compileSite,
  parsePurgeKey,
  purgeKey,
} from './compile.ts'

interface Golden {
  kind: 'site' | 'cert' | 'challenge' | 'purge' | 'settings'
  input: never
  output?: unknown
  hash?: string
  error?: string
}

const dir = new URL('../golden/', import.meta.url)
const compilers = {
  site: compileSite,
  cert: compileCert,
  challenge: compileChallenge,
  purge: compilePurge,
  settings: compileSettings,
}
const run = (golden: Golden) => {
  try {
    return { output: compilers[golden.kind](golden.input) }
  } catch (error) {
    if (!(error instanceof CompileError)) throw error
    return { error: error.message }
  }
}

describe('golden files', () => {
  for (const name of readdirSync(dir).filter((n) => n.endsWith('.json'))) {
    it(name, () => {
      const golden = JSON.parse(readFileSync(new URL(name, dir), 'utf8')) as Golden
      const got = run(golden)
      expect(got).toEqual(golden.error === undefined ? { output: golden.output } : { error: golden.error })
      if (golden.hash !== undefined) expect(hashOf(got.output)).toBe(golden.hash)
    })
  }
})

const shuffled = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(shuffled)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([k, v]) => [k, shuffled(v)]),
  )
}

describe('canonical JSON', () => {
  it('does not depend on the order in which members were written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(hashOf(shuffled(value))).toBe(hashOf(value))
      }),
    )
  })
  it('says the same as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
  it('puts integer-like names in the order of their text', () => {
    expect(canonicalJson({ 9: 1, 10: 2, a: undefined })).toBe('{"10":2,"9":1}')
  })
  it('refuses what JSON cannot say', () => {
    expect(() => canonicalJson(undefined)).toThrow(TypeError)
  })
})

describe('hosts', () => {
  it('give the same configuration in whatever order they were typed', () => {
    const file = JSON.parse(readFileSync(new URL('site-full.json', dir), 'utf8')) as { input: { domains: string[] } }
    fc.assert(
      fc.property(fc.shuffledSubarray(file.input.domains, { minLength: file.input.domains.length }), (domains) => {
        const site = { ...file.input, domains } as never
        expect(hashOf(compileSite(site))).toBe(hashOf(compileSite(file.input as never)))
      }),
    )
  })
})

describe('purge keys', () => {
  it('come apart again, also with spaces in the value', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1 }),
        fc.constantFrom('url', 'dir'),
        fc.string({ minLength: 1 }),
        (id, kind, value) => {
          expect(parsePurgeKey(purgeKey(id, kind, value))).toEqual({ siteId: id, kind, value })
        },
      ),
    )
    expect(parsePurgeKey(purgeKey(7, 'site', ''))).toEqual({ siteId: 7, kind: 'site', value: '' })
  })
})
