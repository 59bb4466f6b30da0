/** What asks again and again: how long it waits between two reads. */
import { act } from '@testing-library/react'
import { expect, vi } from 'vitest'
import { queryClient } from '../shared/query.ts'

/** Until no read is under way; the clock of intervals stands still meanwhile. */
const idle = async () => {
  do await act(() => new Promise<void>((done) => setTimeout(done)))
  while (queryClient.isFetching() > 0)
}

/** Expects one read at once and one more each `every` ms, none of them earlier. `asked` counts the reads. */
export const polled = async (show: () => void, asked: () => number, every: number): Promise<void> => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    show()
    await idle()
    expect(asked()).toBe(1)
    for (const times of [2, 3]) {
      await act(() => vi.advanceTimersByTimeAsync(every - 1))
      expect(asked()).toBe(times - 1)
      await act(() => vi.advanceTimersByTimeAsync(1))
      expect(asked()).toBe(times)
      await idle()
    }
  } finally {
    vi.useRealTimers()
  }
}
