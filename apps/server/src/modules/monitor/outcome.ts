/** One number for what a probe came to, so that a track of them is one array: ms when it was answered, negative when it failed. */
import { PROBE_ERRORS, type ProbeError } from '@tidegate/contract/monitor'

/** Room for reasons; no more than this may ever be in PROBE_ERRORS. */
const REASONS = 16

export interface Outcome {
  ms: number
  /** Empty: it was answered. */
  error: ProbeError | ''
}

/** `ms`: whole, 0 to 60,000. */
export const packOutcome = ({ ms, error }: Outcome): number =>
  error === '' ? ms : -(ms * REASONS + PROBE_ERRORS.indexOf(error) + 1)

export const readOutcome = (packed: number): Outcome => {
  if (packed >= 0) return { ms: packed, error: '' }
  const rest = -packed - 1
  return { ms: Math.floor(rest / REASONS), error: PROBE_ERRORS[rest % REASONS] ?? 'other' }
}
