/** One certificate, read again and again while an order for it is under way. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { underWay } from './CertStatus.tsx'

export const CERTS = ['cert'] as const
export const ORDER_POLL_MS = 1000

export const useCert = (id: number | null) =>
  useQuery({
    queryKey: [...CERTS, 'info', id],
    queryFn: async ({ signal }) => (await call('cert.info', { id: id ?? 0 }, { signal })).data,
    enabled: id !== null,
    refetchInterval: ({ state }) => (underWay(state.data?.order) ? ORDER_POLL_MS : false),
  })
