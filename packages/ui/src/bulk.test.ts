import { describe, expect, it } from 'vitest'
import { runEach } from './bulk.ts'

const rows = [{ id: 1 }, { id: 2 }, { id: 3 }]
const work = (run: (some: readonly { id: number }[]) => Promise<unknown>) => ({
  keyOf: (row: { id: number }) => row.id,
  nameOf: (row: { id: number }) => `row ${row.id}`,
  run,
  splits: (error: unknown) => (error as Error).message !== 'away',
  say: (error: unknown) => (error as Error).message,
})

describe('one action on many rows', () => {
  it('goes out once when all of them can', async () => {
    const calls: number[] = []
    const results = await runEach(
      rows,
      work(async (some) => void calls.push(some.length)),
    )
    expect(calls).toEqual([3])
    expect(results.map((r) => r.error)).toEqual(['', '', ''])
  })
  it('tells of each row what became of it when some cannot', async () => {
    const refuse = async (some: readonly { id: number }[]) => {
      if (some.some((row) => row.id === 2)) throw new Error('in use')
    }
    expect(await runEach(rows, work(refuse))).toEqual([
      { key: 1, name: 'row 1', error: '' },
      { key: 2, name: 'row 2', error: 'in use' },
      { key: 3, name: 'row 3', error: '' },
    ])
  })
  it('is not tried again for each when none can', async () => {
    let calls = 0
    const results = await runEach(
      rows,
      work(async () => {
        calls += 1
        throw new Error('away')
      }),
    )
    expect(calls).toBe(1)
    expect(results.map((r) => r.error)).toEqual(['away', 'away', 'away'])
  })
})
