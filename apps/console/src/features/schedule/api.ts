/** Reads of the schedule's screens. */
import { useQuery } from '@tanstack/react-query'
import type { RunState } from '@tidegate/contract/enums'
import { call } from '../../shared/api/call.ts'

export const SCHEDULE = ['schedule'] as const
export const TASKS = [...SCHEDULE, 'task'] as const
export const RUNS = [...SCHEDULE, 'run'] as const
/** Milliseconds between two reads while something runs. */
const POLL_MS = 1000

export const underWay = (state: RunState) => state === 'waiting' || state === 'running'

export const useKinds = () =>
  useQuery({
    queryKey: [...SCHEDULE, 'kinds'],
    queryFn: async ({ signal }) => (await call('schedule.kinds', {}, { signal })).data,
    staleTime: 300_000,
  })

export const useRun = (id: number) =>
  useQuery({
    queryKey: [...RUNS, id],
    queryFn: async ({ signal }) => (await call('schedule.logInfo', { id }, { signal })).data,
    refetchInterval: ({ state }) => (state.data !== undefined && underWay(state.data.state) ? POLL_MS : false),
  })

export const whileBusy = (busy: boolean | undefined) => (busy === true ? POLL_MS : false)

/** Differences of one page of a report. */
export const GAPS_SHOWN = 50

export const useReport = (id: number) =>
  useQuery({
    queryKey: [...SCHEDULE, 'report', id],
    queryFn: async ({ signal }) => (await call('usage.reconcileInfo', { id }, { signal })).data,
  })

export const useGaps = (report: number, page: number) =>
  useQuery({
    queryKey: [...SCHEDULE, 'report', report, 'gaps', page],
    queryFn: async ({ signal }) => (await call('usage.gapList', { report, page, limit: GAPS_SHOWN }, { signal })).data,
    placeholderData: (old) => old,
  })
