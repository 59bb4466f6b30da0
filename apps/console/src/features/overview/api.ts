/** Reads of the overview. */
import { useQuery } from '@tanstack/react-query'
import type { ChartRange } from '@tidegate/contract/enums'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export type ChartData = OutputOf<'overview.chart'>['data']
export type StateData = OutputOf<'overview.state'>['data']

/** `refresh` in ms, false = never by itself. The old span stays on the screen while a new one is read. */
export const useChart = (range: ChartRange, refresh: number | false) =>
  useQuery({
    queryKey: ['overview', 'chart', range],
    queryFn: ({ signal }) => call('overview.chart', { range }, { signal }),
    select: (answer) => answer.data,
    refetchInterval: refresh,
    placeholderData: (old) => old,
  })

export const useHealth = (refresh: number | false) =>
  useQuery({
    queryKey: ['overview', 'state'],
    queryFn: ({ signal }) => call('overview.state', {}, { signal }),
    select: (answer) => answer.data,
    refetchInterval: refresh,
  })

export type OwnState = OutputOf<'overview.own'>['data']

/** A customer's own state. */
export const useOwnState = (refresh: number | false) =>
  useQuery({
    queryKey: ['overview', 'own'],
    queryFn: ({ signal }) => call('overview.own', {}, { signal }),
    select: (answer) => answer.data,
    refetchInterval: refresh,
  })
