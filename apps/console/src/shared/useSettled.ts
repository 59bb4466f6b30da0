import { useEffect, useState } from 'react'

const PAUSE_MS = 250

/** What is typed, trimmed, as soon as the typing pauses: the server is not asked at each letter. */
export const useSettled = (typed: string): string => {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return settled
}
