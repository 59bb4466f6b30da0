import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chunksOf } from '../src/rows.ts'

async function cut(parts: Buffer[], chunkBytes: number, format = 'JSONEachRow'): Promise<string[]> {
  async function* body() {
    yield* parts
  }
  const chunks: string[] = []
  for await (const chunk of chunksOf(body(), format, chunkBytes, 1_000)) chunks.push(chunk.toString())
  return chunks
}

it('cuts at row ends only, loses nothing, and cuts the same however the bytes arrive', async () => {
  const rows = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), async (lines, step) => {
      const text = `${lines.join('\n')}\n`
      const whole = await cut([Buffer.from(text)], 16)
      const pieces = text.match(new RegExp(`[\\s\\S]{1,${step}}`, 'g')) ?? []
      expect(
        await cut(
          pieces.map((piece) => Buffer.from(piece)),
          16,
        ),
      ).toEqual(whole)
      expect(whole.join('')).toBe(text)
      for (const chunk of whole) expect(chunk.endsWith('\n')).toBe(true)
    }),
    { numRuns: 50 },
  )
})

it('refuses a row without an end, and never cuts a format with line breaks inside rows', async () => {
  await expect(cut([Buffer.alloc(1_001, 'x')], 16)).rejects.toMatchObject({ code: 131 })
  expect(await cut([Buffer.from('"a\nb",1\n"c\nd",2\n')], 4, 'CSV')).toEqual(['"a\nb",1\n"c\nd",2\n'])
})

it('gives nothing for an empty body', async () => {
  expect(await cut([], 16)).toEqual([])
  expect(await cut([Buffer.from('\n \n')], 16)).toEqual([])
})
