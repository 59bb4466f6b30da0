import { expect, it } from 'vitest'
import { sharedBuffersMiB } from './start.ts'

const GIB = 1024 ** 3

it.each([
  [GIB / 2, 128],
  [GIB, 128],
  [4 * GIB, 512],
  [24 * GIB, 1024],
])('keeps an eighth of the memory for pages, within bounds', (bytes, mib) => {
  expect(sharedBuffersMiB(bytes)).toBe(mib)
})
