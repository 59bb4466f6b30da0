import { describe, expect, it } from 'vitest'
import type { DictQuestion } from '../engine/admin.ts'
import { masked, memoryReader } from './memory.ts'

const b64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64')
const held = (key: string | Buffer, value: string | Buffer, more: object = {}) => ({
  ...{ key: b64(key), type: 'string', value: b64(value), size: Buffer.byteLength(value), ttl: 0, secret: false },
  ...more,
})
const PAGE = { dict: 'tg_sites', prefix: '', after: '', limit: 10, entry: '' } as const

/** A reader over these entries, and what it asked the engine. */
const reader = (entries: ReturnType<typeof held>[], next = '') => {
  const asked: DictQuestion[] = []
  const read = memoryReader({
    dict: async (question) => {
      asked.push(question)
      return { entries, next: b64(next), capacity: 100, free: 50 }
    },
  })
  return { asked, read }
}

describe('what people see of a node’s memory', () => {
  it.each([
    ['{"token":"abc","id":1}', '{"token":"***","id":1}'],
    ['{"headers":{"Authorization":"Bearer x\\"y"}}', '{"headers":{"Authorization":"***"}}'],
    ['{"clientSecret": "cut off he', '{"clientSecret": "***"'],
    ['{"keyPem":"-----BEGIN"}', '{"keyPem":"***"}'],
    ['a.example/x?token=abc&page=2', 'a.example/x?token=***&page=2'],
    ['a.example/x?page=2&X-Amz-Signature=abc', 'a.example/x?page=2&X-Amz-Signature=***'],
    ['{"allowedPrivateOrigins":["10.0.0.0/8"]}', '{"allowedPrivateOrigins":["10.0.0.0/8"]}'],
  ])('%s -> %s', (text, wanted) => {
    expect(masked(text)).toBe(wanted)
  })

  it('masks in keys too, and opens the entry all the same', async () => {
    const key = 'u a.example/x?token=abc'
    const { asked, read } = reader([held(key, '5', { type: 'number' })], key)
    const { list, next } = await read(PAGE)
    expect(list[0]).toMatchObject({ key: 'u a.example/x?token=***', form: 'number', value: '5' })
    expect(Buffer.from(list[0]?.id ?? '', 'base64url').toString('latin1')).not.toContain('abc')
    await read({ ...PAGE, entry: list[0]?.id ?? '' })
    expect(asked[1]?.key?.toString()).toBe(key)
    await read({ ...PAGE, after: next })
    expect(asked[2]?.after?.toString()).toBe(key)
    await expect(reader([]).read({ ...PAGE, after: next })).rejects.toMatchObject({ fault: 'gone' })
  })

  it('shows text as it is, though it be cut within a character, and other bytes as hexadecimal digits', async () => {
    const chinese = Buffer.from('潮汐')
    const { list } = await reader([
      held('a', chinese.subarray(0, 5), { size: 6 }),
      held(Buffer.from([0xff, 0]), Buffer.from([1, 2, 0xfe])),
      held('long', 'x'.repeat(500)),
      held('secret', '', { secret: true, size: 120 }),
    ]).read(PAGE)
    expect(list.map(({ key, form, value, cut, masked: hidden }) => [key, form, value.length, cut, hidden])).toEqual([
      ['a', 'text', 1, true, false],
      ['0xff00', 'binary', 6, false, false],
      ['long', 'text', 200, true, false],
      ['secret', 'binary', 0, false, true],
    ])
  })
})
