/** The log of runs. */
import { RUN_STATES } from '@tidegate/contract/enums'
import type { RunRow } from '@tidegate/contract/operations/schedule'
import { useUi } from '@tidegate/ui/context'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { millis } from '@tidegate/ui/format'
import { useRefresh } from '@tidegate/ui/RefreshInterval.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { Select, Tag } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { useList } from '../../shared/list/useList.ts'
import { PageBody } from '../../shared/Page.tsx'
import { RUNS } from './api.ts'
import { ReportDrawer } from './ReconcileReport.tsx'
import { RunDrawer } from './RunDrawer.tsx'
import { RunStateDot, TaskName, useRunStates, useStarter } from './words.tsx'
import './schedule.css'
import './texts.ts'

const useColumns = (onDetails: (run: RunRow) => void): Column<RunRow>[] => {
  const { t } = useTranslation('schedule')
  const { lang } = useUi()
  const starter = useStarter()
  return [
    { key: 'task', title: t('task'), width: 240, render: (_, r) => <TaskName task={r} /> },
    {
      key: 'state',
      title: t('state'),
      render: (_, r) => (
        <div className="tg-two">
          <RunStateDot state={r.state} />
          {r.error === '' ? null : (
            <span className="tg-faint schedule-error" title={r.error}>
              {r.error}
            </span>
          )}
        </div>
      ),
    },
    { key: 'startedBy', title: t('startedBy'), render: (_, r) => starter(r) },
    { key: 'due', title: t('due'), render: (_, r) => <RelativeTime iso={r.dueTime} both /> },
    {
      key: 'took',
      title: t('took'),
      align: 'right',
      render: (_, r) => (r.duration === null ? '–' : millis(r.duration, lang)),
    },
    {
      key: 'actions',
      title: t('actions'),
      fixed: 'right',
      align: 'left',
      render: (_, r) => (
        <button type="button" className="tg-link-button" onClick={() => onDetails(r)}>
          {t('details')}
        </button>
      ),
    },
  ]
}

const stateOf = (search: URLSearchParams) => RUN_STATES.find((one) => one === search.get('state'))
const taskOf = (search: URLSearchParams) => Number(search.get('taskId')) || undefined
const kindOf = (search: URLSearchParams) => search.get('kind') || undefined
const reportOf = (search: URLSearchParams) => Number(search.get('report')) || undefined

export const Page = () => {
  const { t } = useTranslation('schedule')
  const { lang } = useUi()
  const refresh = useRefresh(5000)
  const states = useRunStates()
  const list = useList('schedule.logList', RUNS, {
    filters: (search) => ({ state: stateOf(search), taskId: taskOf(search), kind: kindOf(search) }),
    every: refresh.interval,
  })
  const [shown, setShown] = useState<number | null>(null)
  const columns = useColumns((run) => setShown(run.id))
  return (
    <PageBody title={t('logTitle')} sub={t('logSub')}>
      <ListTable
        list={list}
        label={t('logTitle')}
        columns={columns}
        toolbar={
          <>
            <SearchBox label={t('searchLog')} value={list.query.key ?? ''} onSearch={(key) => list.set({ key })} />
            <Select<string>
              allowClear
              aria-label={t('state')}
              placeholder={t('state')}
              className="tool-select"
              value={stateOf(list.search) ?? null}
              onChange={(state: string | undefined) => list.set({ state })}
              options={RUN_STATES.map((value) => ({ value, label: states[value] }))}
            />
            {taskOf(list.search) === undefined ? null : (
              <Tag closable onClose={() => list.set({ taskId: undefined })}>
                {t('ofOneTask')}
              </Tag>
            )}
            {kindOf(list.search) === undefined ? null : (
              <Tag closable onClose={() => list.set({ kind: undefined })}>
                {list.rows?.[0]?.title[lang] ?? kindOf(list.search)}
              </Tag>
            )}
          </>
        }
        empty={list.filtered ? t('emptyLogFiltered') : t('emptyLog')}
        refresh={refresh}
      />
      <ReportDrawer id={reportOf(list.search)} onClose={() => list.set({ report: undefined })} />
      <RunDrawer id={shown} onClose={() => setShown(null)} />
    </PageBody>
  )
}
