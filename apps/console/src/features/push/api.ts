/** Reads of pushes. */
import { useQuery } from '@tanstack/react-query'
import type { CallOf, OutputOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export const PUSHES = ['push'] as const
export type PushRow = OutputOf<'push.list'>['data']['list'][number]

const POLL_MS = 3000

export const usePushes = (input: CallOf<'push.list'>) =>
  useQuery({
    queryKey: [...PUSHES, 'list', input],
    queryFn: ({ signal }) => call('push.list', input, { signal }),
    select: (answer) => answer.data,
    placeholderData: (old) => old,
    refetchInterval: POLL_MS,
  })
