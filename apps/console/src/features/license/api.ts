/** Reads of the system license. */
import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export type License = OutputOf<'license.info'>['data']

export const LICENSE = ['license'] as const
const EVERY_MS = 30_000

export const useLicense = () =>
  useQuery({
    queryKey: LICENSE,
    queryFn: ({ signal }) => call('license.info', {}, { signal }),
    select: (answer) => answer.data,
    refetchInterval: EVERY_MS,
  })
