/** Rounds of background work that end when they are told to. */

/** Idle rounds are this much rarer than rounds that somebody woke. */
const IDLE_FACTOR = 3

/**
 * Runs `work` at once, then again at once while it says that there is more, `every` ms after it was woken, at the latest after three times that;
 * after an error `retry` ms later.
 */
export const startLoop = (
  work: () => Promise<boolean>,
  { every, retry, onError }: { every: number; retry: number; onError: (error: unknown) => void },
) => {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let woken = false
  /** A wake-up shortens the pause only then: it must not put off a round again and again, nor hurry a retry. */
  let idle = false
  let running: Promise<void> = Promise.resolve()

  const plan = (ms: number) => {
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      running = round()
    }, ms)
  }
  const round = async () => {
    woken = false
    let pause = retry
    try {
      const more = await work()
      pause = more ? 0 : woken ? every : every * IDLE_FACTOR
    } catch (error) {
      onError(error)
    }
    idle = pause === every * IDLE_FACTOR
    plan(pause)
  }
  running = round()
  return {
    wake: () => {
      if (idle) plan(every)
      idle = false
      woken = true
    },
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
