/** Reads of one's own security and keys. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'

export const SECURITY = ['security'] as const
export const OTHERS_SECURITY = ['othersSecurity'] as const
export const API_KEYS = ['apikey'] as const

export const useSecurity = () =>
  useQuery({
    queryKey: SECURITY,
    queryFn: ({ signal }) => call('security.info', {}, { signal }),
    select: (answer) => answer.data,
  })

export const useApiKeys = () =>
  useQuery({
    queryKey: API_KEYS,
    queryFn: ({ signal }) => call('apikey.list', {}, { signal }),
    select: (answer) => answer.data,
  })
