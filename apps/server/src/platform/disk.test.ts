import { expect, it } from 'vitest'
import { diskState } from './disk.ts'

const GIB = 1024 ** 3

it.each([
  // Large disks go by their share.
  [1_000 * GIB, 100 * GIB, false, false],
  [1_000 * GIB, 100 * GIB - 1, true, false],
  [1_000 * GIB, 50 * GIB, true, false],
  [1_000 * GIB, 50 * GIB - 1, true, true],
  // Small ones by what is left.
  [8 * GIB, 2 * GIB, false, false],
  [8 * GIB, 2 * GIB - 1, true, false],
  [8 * GIB, GIB, true, false],
  [8 * GIB, GIB - 1, true, true],
])('of %i bytes, %i free: short %s, low %s', (total, free, short, low) => {
  expect(diskState(total, free)).toEqual({ total, free, short, low })
})
