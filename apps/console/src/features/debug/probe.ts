/** Asks each base path of the API for the page config: whether it answers, how long it takes, which version is there. */
import { API_BASES } from '@tidegate/contract/enums'
import { useCallback, useEffect, useState } from 'react'
import { wireOf } from '../../shared/api/wire.ts'
import { here } from '../../shared/console.ts'

export interface Probe {
  base: string
  state: 'asking' | 'reached' | 'failed'
  /** HTTP status, 0 = no answer. */
  status: number
  ms: number
  version: string
  resetApi: boolean | null
  /** Milliseconds that this browser's clock is ahead of the server's; null when the answer has no date. */
  skew: number | null
}

const PATIENCE_MS = 10_000
const asking = (base: string): Probe => ({
  base,
  state: 'asking',
  status: 0,
  ms: 0,
  version: '',
  resetApi: null,
  skew: null,
})

/** Without the token: what is asked for is public. */
const ask = async (base: string, signal: AbortSignal): Promise<Probe> => {
  const since = performance.now()
  const took = () => Math.round(performance.now() - since)
  try {
    const response = await fetch(base + wireOf('common.index').path, {
      headers: { accept: 'application/json', console: here.id },
      cache: 'no-store',
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    })
    const body: unknown = await response.json().catch(() => null)
    const { code, version, resetApi } = (body ?? {}) as Record<string, unknown>
    const date = Date.parse(response.headers.get('date') ?? '')
    return {
      base,
      state: response.ok && ['0', '1'].includes(String(code)) ? 'reached' : 'failed',
      status: response.status,
      ms: took(),
      version: typeof version === 'string' ? version : '',
      resetApi: typeof resetApi === 'boolean' ? resetApi : null,
      skew: Number.isFinite(date) ? Date.now() - date : null,
    }
  } catch {
    return { ...asking(base), state: 'failed', ms: took() }
  }
}

/** The three bases, and the one given in debug mode if it is another. */
export const useProbes = (extra: string): { probes: Probe[]; again: () => void } => {
  const [probes, setProbes] = useState<Probe[]>([])
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round asks anew
  useEffect(() => {
    const stop = new AbortController()
    const bases = [...new Set([...API_BASES, ...(extra === '' ? [] : [extra])])]
    setProbes(bases.map(asking))
    for (const base of bases)
      void ask(base, stop.signal).then((probe) => {
        if (!stop.signal.aborted) setProbes((all) => all.map((row) => (row.base === base ? probe : row)))
      })
    return () => stop.abort()
  }, [extra, round])
  return { probes, again: useCallback(() => setRound((n) => n + 1), []) }
}
