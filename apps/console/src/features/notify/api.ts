/** Reads of notices, texts and channels. */
import { useQuery } from '@tanstack/react-query'
import type { CallOf } from '@tidegate/contract/operations/index'
import { call } from '../../shared/api/call.ts'

export const NOTICES = ['notify'] as const

export const useTemplates = () =>
  useQuery({
    queryKey: [...NOTICES, 'templates'],
    queryFn: ({ signal }) => call('notify.templateList', {}, { signal }),
    select: (answer) => answer.data,
  })

export const useChannels = () =>
  useQuery({
    queryKey: [...NOTICES, 'channels'],
    queryFn: ({ signal }) => call('notify.channelInfo', {}, { signal }),
  })

export const usePreview = (input: CallOf<'notify.templatePreview'>, wanted: boolean) =>
  useQuery({
    queryKey: [...NOTICES, 'preview', input],
    queryFn: ({ signal }) => call('notify.templatePreview', input, { signal }),
    select: (answer) => answer.data,
    enabled: wanted,
    retry: false,
  })
