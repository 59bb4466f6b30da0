/** Reads of config records and of what an installation stands on. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../shared/api/call.ts'

export const RECORDS = ['config'] as const

/** All records of one screen, those of known keys first. */
export const useRecords = (paramClass: string) =>
  useQuery({
    queryKey: [...RECORDS, paramClass],
    queryFn: ({ signal }) => call('config.list', { paramClass, limit: 200, sidx: 'weight', order: 'asc' }, { signal }),
    select: (answer) => answer.data.list,
  })

export const useRecordHistory = (id: number, page: number) =>
  useQuery({
    queryKey: [...RECORDS, 'history', id, page],
    queryFn: ({ signal }) => call('config.history', { id, page, limit: 10 }, { signal }),
    select: (answer) => answer.data,
    placeholderData: (old) => old,
  })

export const useSystemOverview = () =>
  useQuery({
    queryKey: [...RECORDS, 'system'],
    queryFn: ({ signal }) => call('system.overview', {}, { signal }),
    select: (answer) => answer.data,
    refetchInterval: 30_000,
  })

export const MONITOR_KEY = [...RECORDS, 'monitor'] as const

export const useMonitorKey = (enabled: boolean) =>
  useQuery({
    queryKey: MONITOR_KEY,
    queryFn: ({ signal }) => call('dispatch.key', {}, { signal }),
    enabled,
  })

export const useInstall = () =>
  useQuery({
    queryKey: [...RECORDS, 'install'],
    queryFn: ({ signal }) => call('system.install', {}, { signal }),
    select: (answer) => answer.data,
  })

export const useWechatSetup = () =>
  useQuery({
    queryKey: [...RECORDS, 'wechat-setup'],
    queryFn: ({ signal }) => call('wechat.setup', {}, { signal }),
    select: (answer) => answer.data,
  })

/** Roles that an account can be given by itself: nobody becomes a super administrator by logging in. */
export const useRoleChoices = (enabled: boolean) =>
  useQuery({
    queryKey: ['roles', 'choices'],
    queryFn: ({ signal }) => call('role.list', { limit: 200 }, { signal }),
    select: (answer) => answer.data.list.filter((role) => !role.superRole),
    enabled,
  })
