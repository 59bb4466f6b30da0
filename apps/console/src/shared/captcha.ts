/** The captcha's image: a fresh id each time, up to five more tries when it cannot be had, not more often than every 200 ms. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { image } from './api/call.ts'
import { newId } from './id.ts'

const RETRIES = 5
const THROTTLE_MS = 200

export interface Captcha {
  uuid: string
  url: string
  failed: boolean
  /** Another one, because the person asks. */
  renew: () => void
  /** The browser cannot show what came. */
  broken: () => void
}

/** One round: an image by a new id; `tried` rounds failed before it since the person last asked. */
interface Round {
  tried: number
  n: number
}
const NOTHING = { uuid: '', url: '', failed: false }

/** Loads while `wanted`. */
export const useCaptcha = (wanted: boolean): Captcha => {
  const [state, setState] = useState(NOTHING)
  const [round, setRound] = useState<Round>({ tried: 0, n: 0 })
  const last = useRef(Number.NEGATIVE_INFINITY)
  const broken = useCallback(() => {
    setState({ ...NOTHING, failed: true })
    setRound((round) => (round.tried < RETRIES ? { tried: round.tried + 1, n: round.n + 1 } : round))
  }, [])
  useEffect(() => {
    if (!wanted) return
    const stop = new AbortController()
    let made = ''
    const load = async () => {
      last.current = performance.now()
      const uuid = newId()
      try {
        const blob = await image('captcha', { uuid }, { signal: stop.signal, keep: true })
        made = URL.createObjectURL(blob)
        if (stop.signal.aborted) URL.revokeObjectURL(made)
        else setState({ uuid, url: made, failed: false })
      } catch {
        if (!stop.signal.aborted) broken()
      }
    }
    // A try of its own accord waits; the person's own was let through by `renew`.
    const timer = setTimeout(() => void load(), round.tried === 0 ? 0 : THROTTLE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
      if (made !== '') URL.revokeObjectURL(made)
    }
  }, [wanted, round, broken])
  const renew = useCallback(() => {
    if (performance.now() - last.current < THROTTLE_MS) return
    last.current = performance.now()
    setRound(({ n }) => ({ tried: 0, n: n + 1 }))
  }, [])
  return { ...state, renew, broken }
}
