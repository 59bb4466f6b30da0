/** Reads of the two screens. */
import { useQuery } from '@tanstack/react-query'
import type { CallOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'
import { MESSAGES } from '../../shared/message/api.ts'

export const useManaged = (input: CallOf<'message.list'>) =>
  useQuery({
    queryKey: [...MESSAGES, 'list', input],
    queryFn: ({ signal }) => call('message.list', input, { signal }),
    select: (answer) => answer.data,
    placeholderData: (old) => old,
  })

export const useNotices = (input: CallOf<'message.notices'>) =>
  useQuery({
    queryKey: [...MESSAGES, 'list', input],
    queryFn: ({ signal }) => call('message.notices', input, { signal }),
    placeholderData: (old) => old,
  })
