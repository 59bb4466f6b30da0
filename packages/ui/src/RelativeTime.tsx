/** "3 min. ago", with the absolute time beside or on hover; ticks by itself. */
import { useSyncExternalStore } from 'react'
import { useUi } from './context.ts'
import { absolute, relative } from './format.ts'

const TICK_MS = 5000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

/** One interval for all times on the page; none while no time is shown. */
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** How far a server's clock, or the last tick, may be behind what has just happened, ms. */
const AHEAD_MS = 60_000

/** The moment that a time is told against: what is a little ahead has just happened, what is further ahead is to come. */
const since = (iso: string, tick: number) => {
  const ahead = Date.parse(iso) - tick
  return ahead > 0 && ahead < AHEAD_MS ? Date.parse(iso) : tick
}

/** `iso` empty shows the dash. `both` puts the absolute time under the relative one. */
export const RelativeTime = ({ iso, both = false }: { iso: string; both?: boolean }) => {
  const { lang, timeZone } = useUi()
  const tick = useSyncExternalStore(subscribe, () => now)
  if (iso === '') return <span className="tg-faint">–</span>
  const full = absolute(iso, timeZone)
  const short = relative(iso, since(iso, tick), lang)
  if (!both) {
    return (
      <time dateTime={iso} title={full}>
        {short}
      </time>
    )
  }
  return (
    <time dateTime={iso} className="tg-time">
      <span>{short}</span>
      <small>{full}</small>
    </time>
  )
}
