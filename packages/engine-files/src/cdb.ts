/**
 * Writes constant databases (cdb) as D. J. Bernstein describes them (https://cr.yp.to/cdb/cdb.txt): a head of 256 pairs, the records,
 * 256 hash tables. Records go out as they come; in memory stay eight bytes for each. Pure: who calls puts the bytes where they belong.
 */

/** Bytes of the head; records begin behind it. */
export const CDB_HEAD = 2048
const TABLES = 256
const MAX_SIZE = 2 ** 32

export interface Cdb {
  /** Throws when the file would get longer than the format can say (4 GiB). */
  add(key: Uint8Array, value: Uint8Array): void
  /** Bytes of the records since the last take; they follow those. */
  take(): Uint8Array
  /** The hash tables, which follow the last record, and the head, which stands at the beginning. */
  end(): { tables: Uint8Array; head: Uint8Array }
}

/** "h = ((h << 5) + h) ^ c, with a starting hash of 5381." */
const hashOf = (key: Uint8Array): number => {
  let hash = 5381
  for (const byte of key) hash = (((hash << 5) + hash) ^ byte) >>> 0
  return hash
}

/** Little-endian; a view for each record would cost more than the record. */
const put32 = (bytes: Uint8Array, at: number, n: number) => {
  bytes[at] = n
  bytes[at + 1] = n >>> 8
  bytes[at + 2] = n >>> 16
  bytes[at + 3] = n >>> 24
}

export const createCdb = (): Cdb => {
  /** Hash and place of each record, in turn. */
  let index = new Uint32Array(1 << 12)
  let buffer = new Uint8Array(1 << 16)
  let count = 0
  let used = 0
  let at = CDB_HEAD
  const reserve = (length: number) => {
    if (used + length <= buffer.length) return
    const larger = new Uint8Array(Math.max(buffer.length * 2, used + length))
    larger.set(buffer.subarray(0, used))
    buffer = larger
  }
  const note = (hash: number) => {
    if (count * 2 === index.length) {
      const larger = new Uint32Array(index.length * 2)
      larger.set(index)
      index = larger
    }
    index[count * 2] = hash
    index[count * 2 + 1] = at
    count += 1
  }
  return {
    add: (key, value) => {
      const length = 8 + key.length + value.length
      // Each record has two places of eight bytes in the tables.
      if (at + length + (count + 1) * 16 > MAX_SIZE) throw new Error('the database would be longer than 4 GiB')
      reserve(length)
      put32(buffer, used, key.length)
      put32(buffer, used + 4, value.length)
      buffer.set(key, used + 8)
      buffer.set(value, used + 8 + key.length)
      note(hashOf(key))
      used += length
      at += length
    },
    take: () => {
      const bytes = buffer.slice(0, used)
      used = 0
      return bytes
    },
    end: () => hashTables(index.subarray(0, count * 2), at),
  }
}

/** Both parts behind and before the records, whose end is at `from`. */
const hashTables = (index: Uint32Array, from: number) => {
  const sizes = new Uint32Array(TABLES)
  for (let i = 0; i < index.length; i += 2) sizes[(index[i] ?? 0) % TABLES] = (sizes[(index[i] ?? 0) % TABLES] ?? 0) + 2
  const head = new Uint8Array(CDB_HEAD)
  const headView = new DataView(head.buffer)
  const starts = new Uint32Array(TABLES)
  let slots = 0
  for (let table = 0; table < TABLES; table++) {
    starts[table] = slots
    headView.setUint32(table * 8, from + slots * 8, true)
    headView.setUint32(table * 8 + 4, sizes[table] ?? 0, true)
    slots += sizes[table] ?? 0
  }
  const tables = new Uint8Array(slots * 8)
  const view = new DataView(tables.buffer)
  for (let i = 0; i < index.length; i += 2) {
    const hash = index[i] ?? 0
    const size = sizes[hash % TABLES] ?? 0
    let slot = (hash >>> 8) % size
    // A place of zero is a free one: no record stands at the head.
    while (view.getUint32(((starts[hash % TABLES] ?? 0) + slot) * 8 + 4, true) !== 0) slot = (slot + 1) % size
    const place = ((starts[hash % TABLES] ?? 0) + slot) * 8
    view.setUint32(place, hash, true)
    view.setUint32(place + 4, index[i + 1] ?? 0, true)
  }
  return { tables, head }
}
