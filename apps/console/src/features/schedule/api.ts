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
