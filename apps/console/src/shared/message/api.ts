/** Reads and marks of messages, for the bell and for the screens. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MESSAGE_DRAWER_LIMIT } from '@tidegate/contract/limits'
import type { CallOf } from '@tidegate/contract/operations/index'
import { call } from '../api/call.ts'
import { here } from '../console.ts'
import { KEEP } from '../query.ts'

export const MESSAGES = ['message'] as const
const POLL_MS = 30_000

/** How many the caller has not read, up to 100; undefined while unknown. */
export const useUnread = (): number | undefined => {
  const { data } = useQuery({
    queryKey: [...MESSAGES, 'unread'],
    queryFn: ({ signal }) => call('message.unread', {}, { signal, keep: true }),
    refetchInterval: POLL_MS,
    meta: KEEP,
  })
  return data?.unread
}

const NEWEST = { sidx: 'id', order: 'desc', page: 1, limit: MESSAGE_DRAWER_LIMIT } as const

/** The newest ones behind the bell: announcements for the staff, everything of theirs for customers. */
export const useNewest = (open: boolean) =>
  useQuery({
    queryKey: [...MESSAGES, 'newest'],
    queryFn: async ({ signal }) => {
      const options = { signal, keep: true }
      return here.audience === 'admin'
        ? (await call('message.list', { ...NEWEST, type: 2, status: 1, drawer: 1 }, options)).data.list
        : (await call('message.notices', NEWEST, options)).data.list
    },
    enabled: open,
    meta: KEEP,
  })

export const messageQuery = (id: number) =>
  queryOptions({
    queryKey: [...MESSAGES, 'info', id],
    queryFn: ({ signal }) => call('message.info', { id }, { signal, keep: true }),
    meta: KEEP,
  })

/** Marks messages as read; the bell takes the count that the server gives back. */
export const useMarkRead = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: CallOf<'message.read'>) => call('message.read', input),
    onSuccess: ({ unread }) => {
      client.setQueryData([...MESSAGES, 'unread'], { unread })
      void client.invalidateQueries({ queryKey: [...MESSAGES, 'newest'] })
      void client.invalidateQueries({ queryKey: [...MESSAGES, 'list'] })
    },
  })
}
