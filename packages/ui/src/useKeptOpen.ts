/** Whether a picker's calendar is open, for pages that may be kept: antd's own closing is undone when its page is hidden, and the calendar came back with it. */
import { useLayoutEffect, useState } from 'react'

/** Closed as soon as the page goes out of sight. */
export const useKeptOpen = (): { open: boolean; onOpenChange: (open: boolean) => void } => {
  const [open, onOpenChange] = useState(false)
  useLayoutEffect(() => () => onOpenChange(false), [])
  return { open, onOpenChange }
}
