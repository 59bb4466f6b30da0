/** What was sent to whom, and what the other side said. */
import { useQueryClient } from '@tanstack/react-query'
import { NOTIFY_CHANNELS, NOTIFY_EVENTS, NOTIFY_STATES, type NotifyState } from '@tidegate/contract/config/notify'
import type { DeliveryRow } from '@tidegate/contract/operations/notify'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { App, Select } from 'antd'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { type List, useList } from '../../shared/list/useList.ts'
import { useSay } from '../../shared/useSay.tsx'
import { NOTICES } from './api.ts'
import { useChannelWords, useEventWords, useFaultWords, useStateWords } from './words.ts'

const TONES: Record<NotifyState, ComponentProps<typeof StatusDot>['tone']> = {
  queued: 'idle',
  sending: 'busy',
  sent: 'good',
  failed: 'bad',
  unknown: 'warn',
  skipped: 'idle',
}

const AGAIN: readonly NotifyState[] = ['failed', 'unknown', 'skipped']

const useColumns = (onAgain: (row: DeliveryRow) => void): Column<DeliveryRow>[] => {
  const { t } = useTranslation('notify')
  const events = useEventWords()
  const channels = useChannelWords()
  const states = useStateWords()
  const faults = useFaultWords()
  return [
    { key: 'time', title: t('time'), sorter: true, render: (_, r) => <RelativeTime iso={r.createTime} both /> },
    {
      key: 'event',
      title: t('event'),
      render: (_, r) => (
        <div className="tg-two">
          <span>{events[r.event]}</span>
          <span className="tg-faint">{r.subject}</span>
        </div>
      ),
    },
    { key: 'channel', title: t('channel'), render: (_, r) => channels[r.channel] },
    { key: 'to', title: t('to'), render: (_, r) => <span className="tg-mono">{r.to || '–'}</span> },
    {
      key: 'state',
      title: t('state'),
      render: (_, r) => (
        <div className="tg-two">
          <StatusDot tone={TONES[r.state]}>{states[r.state]}</StatusDot>
          {r.fault === 'none' ? null : <span className="tg-faint">{faults[r.fault]}</span>}
        </div>
      ),
    },
    { key: 'attempts', title: t('attempts'), align: 'right', render: (_, r) => r.attempts },
    {
      key: 'answer',
      title: t('answer'),
      render: (_, r) => (
        <span className="tg-mono tg-soft notify-answer" title={r.answer}>
          {r.answer || '–'}
        </span>
      ),
    },
    {
      key: 'actions',
      title: t('actions'),
      fixed: 'right',
      render: (_, r) =>
        AGAIN.includes(r.state) && r.event !== 'code' && r.event !== 'test' ? (
          <button type="button" className="tg-link-button" onClick={() => onAgain(r)}>
            {t('again')}
          </button>
        ) : null,
    },
  ]
}

/** Sends one again and reads the list anew. */
const useAgain = () => {
  const { t } = useTranslation('notify')
  const { message } = App.useApp()
  const say = useSay()
  const client = useQueryClient()
  return async (row: DeliveryRow) => {
    try {
      await call('notify.resend', { id: row.id })
      message.success(t('againDone'))
    } catch (error) {
      say.failed(error)
    }
    await client.invalidateQueries({ queryKey: [...NOTICES, 'log'] })
  }
}

const Choice = <T extends string>(props: {
  label: string
  words: Record<T, string>
  values: readonly T[]
  value: T | undefined
  onChange: (value: T | undefined) => void
}) => (
  <Select<T>
    allowClear
    aria-label={props.label}
    placeholder={props.label}
    className="tool-select"
    value={props.value ?? null}
    onChange={(value: T | undefined) => props.onChange(value)}
    options={props.values.map((value) => ({ value, label: props.words[value] }))}
  />
)

const filtersOf = (search: URLSearchParams) => ({
  event: NOTIFY_EVENTS.find((one) => one === search.get('event')),
  channel: NOTIFY_CHANNELS.find((one) => one === search.get('channel')),
  state: NOTIFY_STATES.find((one) => one === search.get('state')),
})

const Tools = ({ list }: { list: List<DeliveryRow> }) => {
  const { t } = useTranslation('notify')
  const { query, search, set } = list
  const { event, channel, state } = filtersOf(search)
  return (
    <>
      <SearchBox label={t('search')} value={query.key ?? ''} onSearch={(key) => set({ key })} />
      <Choice
        label={t('event')}
        words={useEventWords()}
        values={NOTIFY_EVENTS}
        value={event}
        onChange={(value) => set({ event: value })}
      />
      <Choice
        label={t('channel')}
        words={useChannelWords()}
        values={NOTIFY_CHANNELS}
        value={channel}
        onChange={(value) => set({ channel: value })}
      />
      <Choice
        label={t('state')}
        words={useStateWords()}
        values={NOTIFY_STATES}
        value={state}
        onChange={(value) => set({ state: value })}
      />
    </>
  )
}

export const LogTab = () => {
  const { t } = useTranslation('notify')
  const list = useList('notify.log', [...NOTICES, 'log'], { filters: filtersOf })
  const again = useAgain()
  const columns = useColumns((row) => void again(row))
  return (
    <ListTable
      list={list}
      label={t('log')}
      columns={columns}
      toolbar={<Tools list={list} />}
      empty={list.filtered ? t('emptyFiltered') : t('empty')}
    />
  )
}
