import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bitsPerSecond, percentile95, sampleTimes } from './bandwidth.ts'

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

it.each([
  [[], 0],
  [[9], 9],
  // 19 samples: nothing is dropped.
  [upTo(19), 19],
  // 20: the highest is dropped.
  [upTo(20), 19],
  [upTo(39), 38],
  [upTo(40), 38],
  [upTo(100), 95],
  // A day of 288 samples: 14 are dropped.
  [upTo(288), 274],
  [[...Array<number>(269).fill(0), ...Array<number>(14).fill(1_000)], 0],
  [[...Array<number>(273).fill(0), ...Array<number>(15).fill(1_000)], 1_000],
  [[5, 5, 5, 5], 5],
])('takes the 95th percentile of hand-computed samples %#', (samples, expected) => {
  expect(percentile95(samples)).toBe(expected)
})

it('is the nearest rank from below as well, one of the samples, whatever their order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 700 }), (samples) => {
      const rising = [...samples].sort((a, b) => a - b)
      // ceil(95 n / 100) in whole numbers.
      return percentile95(samples) === rising[Math.ceil((samples.length * 95) / 100) - 1]
    }),
  )
})

it('does not change the samples it is given', () => {
  const samples = [1, 3, 2]
  percentile95(samples)
  expect(samples).toEqual([1, 3, 2])
})

it('takes only samples that lie within the span and have passed', () => {
  expect(sampleTimes(0, 1_200, 10_000)).toEqual([0, 300, 600, 900])
  expect(sampleTimes(1, 1_200, 10_000)).toEqual([300, 600, 900])
  expect(sampleTimes(0, 1_199, 10_000)).toEqual([0, 300, 600])
  expect(sampleTimes(0, 1_200, 899)).toEqual([0, 300])
  expect(sampleTimes(0, 1_200, 900)).toEqual([0, 300, 600])
})

it('rounds bits a second down', () => {
  expect(bitsPerSecond(37_499, 300)).toBe(999)
  expect(bitsPerSecond(37_500, 300)).toBe(1_000)
})
