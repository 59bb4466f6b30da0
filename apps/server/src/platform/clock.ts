/** Time as an argument, so that tests can set it. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
}
export const systemClock: Clock = { now: () => Date.now() }
