/** Reads of the three logs: of administrators, of customers, and a customer's own. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'

export type Kind = 'audit' | 'userLog' | 'ownLog'
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
