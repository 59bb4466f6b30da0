import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CDB_HEAD, createCdb } from '../src/cdb.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex')
const build = (records: readonly (readonly [string, string])[]): Buffer => {
  const cdb = createCdb()
  const parts: Uint8Array[] = []
  for (const [key, value] of records) {
    cdb.add(bytes(key), bytes(value))
    if (parts.length % 3 === 0) parts.push(cdb.take())
  }
  parts.push(cdb.take())
  const { head, tables } = cdb.end()
  return Buffer.concat([head, ...parts, tables])
}

/** Reads as cdb.txt says: the slot of the hash, then on until a free one. */
const read = (file: Buffer, key: string): string | null => {
  const wanted = bytes(key)
  let hash = 5381
  for (const byte of wanted) hash = (((hash * 33) >>> 0) ^ byte) >>> 0
  const [start, slots] = [file.readUInt32LE((hash % 256) * 8), file.readUInt32LE((hash % 256) * 8 + 4)]
  for (let i = 0; i < slots; i++) {
    const slot = start + (((hash >>> 8) + i) % slots) * 8
    const at = file.readUInt32LE(slot + 4)
    if (at === 0) return null
    const [keyLength, valueLength] = [file.readUInt32LE(at), file.readUInt32LE(at + 4)]
    const found = file.subarray(at + 8, at + 8 + keyLength)
    if (file.readUInt32LE(slot) === hash && found.equals(wanted))
      return file.subarray(at + 8 + keyLength, at + 8 + keyLength + valueLength).toString()
  }
  return null
}

describe('a cdb file', () => {
  it('has the bytes that another writer of the format makes (TinyCDB 0.78, `cdb -c`)', () => {
    const two = build([
      ['one', 'Hello'],
      ['two', 'Goodbye'],
    ])
    expect(two.subarray(CDB_HEAD).toString('hex')).toBe(
      '03000000050000006f6e6548656c6c6f030000000700000074776f476f6f64627965' +
        '2960870b100800000000000000000000' +
        '0000000000000000815b870b00080000',
    )
    expect(sha256(two)).toBe('fc9606a29745ca7dbff05f57c923d3e56334e625f4d65eec30844baf08051d0f')
    const many = Array.from({ length: 5_000 }, (_, i) => [`key${i}`, `${i * i}`] as const)
    expect(sha256(build(many))).toBe('5790ff28e1e7bee0e3de5e0961c816688408a89b7695799b88acbfc3d5753db7')
  })

  it('is empty without records, with tables that begin behind the head', () => {
    const file = build([])
    expect(file.length).toBe(CDB_HEAD)
    for (let table = 0; table < 256; table++)
      expect([file.readUInt32LE(table * 8), file.readUInt32LE(table * 8 + 4)]).toEqual([CDB_HEAD, 0])
  })

  it('gives every record back, and nothing else', () => {
    const records = Array.from({ length: 20_000 }, (_, i) => [`key ${i * 7919}`, `value ${i}`] as const)
    const file = build(records)
    for (const [key, value] of records) expect(read(file, key)).toBe(value)
    for (const key of ['', 'key', 'key 1', 'key 7919x']) expect(read(file, key)).toBeNull()
  })
})
