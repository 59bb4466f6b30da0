/** The present day of the installation's zone; follows midnight. */
import { useEffect, useState } from 'react'
import { useUi } from './context.ts'
import { dayAt } from './dates.ts'

const LOOK_MS = 30_000

export const useToday = (): string => {
  const { timeZone } = useUi()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return dayAt(now, timeZone)
}
