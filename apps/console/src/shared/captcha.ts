/** The captcha's image: a fresh id each time, up to five tries, not more often than every 200 ms. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { image } from './api/call.ts'

const TRIES = 5
const THROTTLE_MS = 200

export interface Captcha {
  uuid: string
  url: string
  failed: boolean
  renew: () => void
}

/** randomUUID needs a secure context; plain http on a private network has none. */
const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('')

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Tries ids until an image comes; null after the last try. */
const load = async (signal: AbortSignal): Promise<{ uuid: string; url: string } | null> => {
  for (let tried = 0; tried < TRIES && !signal.aborted; tried++) {
    if (tried > 0) await wait(THROTTLE_MS)
    const uuid = newId()
    try {
      return { uuid, url: URL.createObjectURL(await image('captcha', { uuid }, { signal })) }
    } catch {
      // The next try has an id of its own.
    }
  }
  return null
}

/** Loads while `wanted`. */
export const useCaptcha = (wanted: boolean): Captcha => {
  const [state, setState] = useState({ uuid: '', url: '', failed: false })
  const [round, setRound] = useState(0)
  const last = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round asks for another image
  useEffect(() => {
    if (!wanted) return
    const stop = new AbortController()
    let made = ''
    void load(stop.signal).then((got) => {
      if (stop.signal.aborted) return got && URL.revokeObjectURL(got.url)
      made = got?.url ?? ''
      setState(got === null ? { uuid: '', url: '', failed: true } : { ...got, failed: false })
    })
    return () => {
      stop.abort()
      if (made !== '') URL.revokeObjectURL(made)
    }
  }, [wanted, round])
  const renew = useCallback(() => {
    const now = Date.now()
    if (now - last.current < THROTTLE_MS) return
    last.current = now
    setRound((n) => n + 1)
  }, [])
  return { ...state, renew }
}
