/** Reads of the three logs: of administrators, of customers, and a customer's own. */
import { useQuery } from '@tanstack/react-query'
import type { CallOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export type Kind = 'audit' | 'userLog' | 'ownLog'
export type Query = CallOf<'audit.list'>

export const useLog = (kind: Kind, input: Query) =>
  useQuery({
    queryKey: [kind, 'list', input],
    queryFn: ({ signal }) => {
      const { actorId, ...rest } = input
      if (kind === 'audit') return call('audit.list', input, { signal })
      if (kind === 'ownLog') return call('ownLog.list', rest, { signal })
      return call(
        'userLog.list',
        { ...rest, ...(actorId === undefined ? {} : { userId: Number(actorId) }) },
        { signal },
      )
    },
    select: (answer) => answer.data,
    placeholderData: (old) => old,
  })

export const useEntry = (kind: Kind, id: number) =>
  useQuery({
    queryKey: [kind, 'info', id],
    queryFn: ({ signal }) => call(`${kind}.info`, { id }, { signal }),
    select: (answer) => answer.data,
  })

/** The customers' actors are too many to choose from: they are searched for. */
export const useLogFilters = (kind: Kind) =>
  useQuery({
    queryKey: [kind, 'filters'],
    queryFn: async ({ signal }) => {
      if (kind === 'audit') return (await call('audit.filters', {}, { signal })).data
      return { ...(await call(`${kind}.filters`, {}, { signal })).data, actors: [] }
    },
  })
