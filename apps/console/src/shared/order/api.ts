/** What waits of the work orders, for the badge, the sound and the screens. */
import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { call } from '../api/call.ts'
import { KEEP } from '../query.ts'
import { usePollMs } from '../site-config.ts'

export const ORDERS = ['work-order'] as const
export const NEW_ORDERS = [...ORDERS, 'new'] as const

/** Asked every few seconds, on every page and behind other tabs; undefined while unknown. */
export const useNewOrders = (enabled: boolean): OutputOf<'workOrder.newMsg'> | undefined => {
  const every = usePollMs()
  const { data } = useQuery({
    queryKey: NEW_ORDERS,
    queryFn: ({ signal }) => call('workOrder.newMsg', {}, { signal, keep: true }),
    refetchInterval: every,
    refetchIntervalInBackground: true,
    enabled,
    meta: KEEP,
  })
  return enabled ? data : undefined
}
