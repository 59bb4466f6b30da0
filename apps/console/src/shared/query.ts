/** The query client: reads are retried only when the server did not answer. */
import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api/error.ts'
import { onNavigation } from './navigation.ts'

const MAX_RETRIES = 2
const lost = (error: unknown) => error instanceof ApiError && [0, 502, 503, 504].includes(error.failure.code)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < MAX_RETRIES && lost(error),
      refetchOnWindowFocus: false,
      staleTime: 0,
      // Longer than a page usually waits in the background: it then comes back without a skeleton.
      gcTime: 30 * 60_000,
    },
    mutations: { retry: false },
  },
})

/** Marks the shell's own reads, which go on over navigation. */
export const KEEP = { keep: true } as const

onNavigation.add(() => {
  void queryClient.cancelQueries({ predicate: (query) => query.meta?.keep !== true })
})
