import { siteConfig } from '@tidegate/contract/node/config'
import { describe, expect, it } from 'vitest'
import { site as siteResource } from '../testing/bodies.ts'
import { inBatches } from './batches.ts'
import type { Change } from './item.ts'

function site(id: number, host: string): Change {
  const body = siteConfig.parse(siteResource(id, host, 80).body)
  return { kind: 'site', key: String(id), hash: 'h', body, addresses: [] }
}

describe('batches for the engine', () => {
  const many = Array.from({ length: 1200 }, (_, n) => site(n + 1, `h${n}.example`))

  it('keeps few changes together and says the revision with none at all', () => {
    expect(inBatches(many.slice(0, 500), () => undefined).map((batch) => batch.length)).toEqual([500])
    expect(inBatches([], () => undefined)).toEqual([[]])
  })

  it('cuts many into batches of 500, each change once', () => {
    const batches = inBatches(many, () => undefined)
    expect(batches.map((batch) => batch.length)).toEqual([500, 500, 200])
    expect(new Set(batches.flat()).size).toBe(1200)
  })

  it('swaps the hosts of sites within one batch, however far apart they are', () => {
    const before = new Map([
      ['1', site(1, 'h1199.example')],
      ['1200', site(1200, 'h0.example')],
    ])
    const batches = inBatches(many, (_, key) => {
      const held = before.get(key)
      return held === undefined || held.body === null ? undefined : held
    })
    expect(batches[0]?.map((change) => change.key)).toEqual(['1', '1200'])
    expect(batches.flat().length).toBe(1200)
  })
})
