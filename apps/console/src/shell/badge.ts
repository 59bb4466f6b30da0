/** Counts beside menu entries: pushes on their way and refused, work orders that wait. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../shared/api/call.ts'
import { here } from '../shared/console.ts'
import { useNewOrders } from '../shared/order/api.ts'
import { KEEP } from '../shared/query.ts'
import { usePollMs, useSite } from '../shared/site-config.ts'
import { useMay } from './session.ts'

const BADGE_MAX = 99

export interface Tasks {
  pending: number
  refused: number
}

/** Pushes that some node has not answered, and those that some node refused; null while unknown or not permitted. */
export const useTasks = (): Tasks | null => {
  // A customer's permission of that name is for the own pushes; their count for all is the operator's.
  const may = useMay('cdn:push:list') && here.audience === 'admin'
  const every = usePollMs()
  const { data } = useQuery({
    queryKey: ['push', 'status'],
    queryFn: ({ signal }) => call('push.status', {}, { signal, keep: true }),
    refetchInterval: every,
    enabled: may,
    meta: KEEP,
  })
  return data === undefined ? null : { pending: data.task_size, refused: data.refused_size }
}

/** The badge that a menu entry asks for. */
export const useBadge = (badge: 'task_count' | 'wkCount'): { count: number; urgent: boolean } | null => {
  const tasks = useTasks()
  const atEntry = useSite((s) => s.index?.wkCount)
  const now = useNewOrders(useMay('cdn:work-order:list'))
  const orders = now?.newSum ?? atEntry
  if (badge === 'wkCount') return orders === undefined ? null : { count: orders, urgent: true }
  if (tasks === null) return null
  return tasks.refused > 0 ? { count: tasks.refused, urgent: true } : { count: tasks.pending, urgent: false }
}

/** A count as it fits into a badge. */
export const capped = (count: number): string => (count > BADGE_MAX ? `${BADGE_MAX}+` : String(count))
