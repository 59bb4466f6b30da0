/** Reads of the blacklist. */
import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { call } from '../../../shared/api/call.ts'

export const BLACK = ['black'] as const
export type BlackState = OutputOf<'black.state'>['data']

/** `every`: milliseconds between reads. */
export const useBlackState = (every: number | false = false) =>
  useQuery({
    queryKey: [...BLACK, 'state'],
    queryFn: async ({ signal }) => (await call('black.state', {}, { signal })).data,
    refetchInterval: every,
  })

/** The rules of the stored setting, for a list at this path. */
export const useRules = (file: string) =>
  useQuery({
    queryKey: [...BLACK, 'rules', file],
    queryFn: async ({ signal }) => (await call('black.rules', file === '' ? {} : { file }, { signal })).data,
    placeholderData: (old) => old,
  })
