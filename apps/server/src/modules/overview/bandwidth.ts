/**
 * The one definition of bandwidth. A sample is five minutes that begin at a multiple of five minutes UTC and have passed wholly; its value is
 * bytes * 8 / 300, rounded down, in bits a second. Samples without traffic are zero and count like any other.
 */
export const SAMPLE_SECONDS = 300

/** Bits a second of so many bytes in so many seconds, rounded down. */
export const bitsPerSecond = (bytes: number, seconds: number): number => Math.floor((bytes * 8) / seconds)

/**
 * The 95th percentile by nearest rank: sorted from the highest, the top floor(n / 20) samples are dropped, the highest of the rest is the
 * answer; 0 without samples. No interpolation, so that it is one of the samples and everybody can check it.
 */
export const percentile95 = (samples: readonly number[]): number => {
  const sorted = [...samples].sort((a, b) => b - a)
  return sorted[Math.floor(sorted.length / 20)] ?? 0
}

/** Begins of the whole samples within [from, to) that have passed at `now`; Unix seconds. */
export const sampleTimes = (from: number, to: number, now: number): number[] => {
  const times: number[] = []
  const end = Math.min(to, Math.floor(now / SAMPLE_SECONDS) * SAMPLE_SECONDS)
  for (let t = Math.ceil(from / SAMPLE_SECONDS) * SAMPLE_SECONDS; t + SAMPLE_SECONDS <= end; t += SAMPLE_SECONDS)
    times.push(t)
  return times
}
