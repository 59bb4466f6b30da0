import { useMemo, useSyncExternalStore } from 'react'

/** Whether a media query holds; follows changes. */
export const useMedia = (query: string): boolean => {
  const media = useMemo(() => window.matchMedia(query), [query])
  return useSyncExternalStore(
    (changed) => {
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => media.matches,
  )
}
