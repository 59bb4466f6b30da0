/** Whether a picker's calendar is open, for pages that may be kept: antd's own closing is undone when its page is hidden, and the calendar came back with it. */
import { useLayoutEffect, useState } from 'react'

interface KeptOpen {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Closed as soon as the page goes out of sight. `round`: the picker's key; it begins anew then, for a motion that was cut off does not end. */
export const useKeptOpen = (): { round: number; opened: KeptOpen } => {
  const [open, onOpenChange] = useState(false)
  const [round, setRound] = useState(0)
  useLayoutEffect(
    () => () => {
      onOpenChange(false)
      setRound((old) => old + 1)
    },
    [],
  )
  return { round, opened: { open, onOpenChange } }
}
