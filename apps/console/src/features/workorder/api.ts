/** Reads of the screens. Lists and open orders ask again every few seconds while they are shown. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SenderInfo, WorkOrderRow } from '@tidegate/contract/operations/work-order'
import { call } from '../../shared/api/call.ts'
import { here } from '../../shared/console.ts'
import { ORDERS } from '../../shared/order/api.ts'
import { usePollMs } from '../../shared/site-config.ts'

/** An order as this console's audience sees it; what is the staff's is empty for customers. */
export interface Order extends WorkOrderRow {
  senderInfos: SenderInfo[]
}

const readOrder = async (id: number, signal: AbortSignal): Promise<Order> => {
  if (here.audience === 'admin') return (await call('workOrder.detail', { id }, { signal })).data
  const { data } = await call('ownOrder.detail', { id }, { signal })
  return { ...data, userId: 0, assignee: null, waiting: false }
}

export const useOrder = (id: number) =>
  useQuery({
    queryKey: [...ORDERS, 'detail', id],
    queryFn: ({ signal }) => readOrder(id, signal),
    refetchInterval: usePollMs(),
  })

export const useStats = () =>
  useQuery({
    queryKey: [...ORDERS, 'stats'],
    queryFn: ({ signal }) => call('workOrder.stats', {}, { signal }),
    select: (answer) => answer.data,
  })

export const useCategories = () =>
  useQuery({
    queryKey: [...ORDERS, 'categories'],
    queryFn: ({ signal }) => call('workCategory.list', {}, { signal }),
    select: (answer) => answer.list,
  })

export const useReplies = (enabled = true) =>
  useQuery({
    queryKey: [...ORDERS, 'replies'],
    queryFn: ({ signal }) => call('workReply.list', {}, { signal }),
    select: (answer) => answer.list,
    enabled,
  })

export const useAssignees = (enabled: boolean) =>
  useQuery({
    queryKey: [...ORDERS, 'assignees'],
    queryFn: ({ signal }) => call('workOrder.assignees', {}, { signal }),
    select: (answer) => answer.list,
    enabled,
  })

/** Reads anew whatever of the orders is shown. */
export const useOrdersAgain = () => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ORDERS })
}
