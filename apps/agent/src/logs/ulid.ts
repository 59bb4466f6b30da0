/** ULIDs: 48 bits of Unix ms and 80 random bits in Crockford's base 32; ids made by one process always rise. */
import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RANDOM_BITS = 80n

function encode(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest >>= 5n) text = ALPHABET[Number(rest & 31n)] + text
  return text
}

/** Makes a generator. After a clock that went back it goes on from the last id, so that oldest first stays true. */
export function createUlids(now: () => number = Date.now, last = ''): () => string {
  let value = 0n
  for (const char of last) value = (value << 5n) | BigInt(ALPHABET.indexOf(char))
  return () => {
    const fresh = (BigInt(now()) << RANDOM_BITS) | BigInt(`0x${randomBytes(10).toString('hex')}`)
    value = fresh >> RANDOM_BITS > value >> RANDOM_BITS ? fresh : value + 1n
    return encode(value, 26)
  }
}
