/** Scheduled tasks: when they come due, what they came to last, and by hand. */
import { useQueryClient } from '@tanstack/react-query'
import type { TaskRow } from '@tidegate/contract/operations/schedule'
import { useUi } from '@tidegate/ui/context'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { absolute } from '@tidegate/ui/format'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { App, Button, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { call } from '../../shared/api/call.ts'
import { Confirm } from '../../shared/Confirm.tsx'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { useList } from '../../shared/list/useList.ts'
import { PageBody } from '../../shared/Page.tsx'
import { useSay } from '../../shared/useSay.tsx'
import { useMay } from '../../shell/session.ts'
import { SCHEDULE, TASKS, whileBusy } from './api.ts'
import { RunDrawer } from './RunDrawer.tsx'
import { TaskDrawer } from './TaskForm.tsx'
import { RunStateDot, TaskName, useTaskName } from './words.tsx'
import './schedule.css'
import './texts.ts'

type Doing = { what: 'add' } | { what: 'edit' | 'delete'; task: TaskRow } | { what: 'watch'; run: number } | null

const Status = ({ task }: { task: TaskRow }) => {
  const { t } = useTranslation('schedule')
  if (task.active > 0) return <StatusDot tone="busy">{t('running')}</StatusDot>
  return task.status === 1 ? (
    <StatusDot tone="good">{t('on')}</StatusDot>
  ) : (
    <StatusDot tone="idle">{t('paused')}</StatusDot>
  )
}

const useColumns = (actions: (task: TaskRow) => ReactNode): Column<TaskRow>[] => {
  const { t } = useTranslation('schedule')
  const { timeZone } = useUi()
  return [
    { key: 'kind', title: t('task'), sorter: true, width: 240, render: (_, r) => <TaskName task={r} /> },
    { key: 'cron', title: t('cron'), render: (_, r) => <span className="tg-mono">{r.cron}</span> },
    { key: 'status', title: t('status'), sorter: true, render: (_, r) => <Status task={r} /> },
    {
      key: 'nextTime',
      title: t('next'),
      sorter: true,
      render: (_, r) =>
        r.nextTime === '' ? (
          <span className="tg-faint">–</span>
        ) : (
          <span className="tg-mono">{absolute(r.nextTime, timeZone)}</span>
        ),
    },
    {
      key: 'last',
      title: t('last'),
      render: (_, r) =>
        r.last === null ? (
          <span className="tg-faint">{t('never')}</span>
        ) : (
          <div className="tg-two">
            <RunStateDot state={r.last.state} />
            <RelativeTime iso={r.last.time} />
          </div>
        ),
    },
    {
      key: 'builtin',
      title: t('builtin'),
      render: (_, r) => (r.builtin ? <Icon name="check" /> : null),
    },
    { key: 'actions', title: t('actions'), fixed: 'right', align: 'left', render: (_, r) => actions(r) },
  ]
}

/** Starts and pauses; says what came of it and reads the list again. */
const useActs = (onDo: (doing: Doing) => void) => {
  const { t } = useTranslation('schedule')
  const { message } = App.useApp()
  const say = useSay()
  const client = useQueryClient()
  const act = async (work: () => Promise<string>) => {
    try {
      message.success(await work())
    } catch (error) {
      say.failed(error)
    }
    await client.invalidateQueries({ queryKey: SCHEDULE })
  }
  return {
    run: (task: TaskRow) =>
      void act(async () => {
        onDo({ what: 'watch', run: (await call('schedule.run', { id: task.id })).id })
        return t('started')
      }),
    pause: (task: TaskRow) =>
      void act(async () => {
        await call('schedule.pause', { ids: [task.id], status: task.status === 1 ? 0 : 1 })
        return task.status === 1 ? t('wasPaused') : t('wasResumed')
      }),
  }
}

const LinkButton = ({
  onClick,
  danger = false,
  children,
}: {
  onClick: () => void
  danger?: boolean
  children: ReactNode
}) => (
  <button type="button" className={danger ? 'tg-link-button tg-danger' : 'tg-link-button'} onClick={onClick}>
    {children}
  </button>
)

const RowActions = ({ task, onDo }: { task: TaskRow; onDo: (doing: Doing) => void }) => {
  const { t } = useTranslation(['schedule', 'shared'])
  const { run, pause } = useActs(onDo)
  const may = {
    save: useMay('system:schedule:task:save'),
    run: useMay('system:schedule:task:run'),
    remove: useMay('system:schedule:task:delete'),
    log: useMay('system:schedule:log'),
  }
  return (
    <div className="tool-links">
      {may.run ? <LinkButton onClick={() => run(task)}>{t('runNow')}</LinkButton> : null}
      {may.save ? (
        <>
          <LinkButton onClick={() => pause(task)}>{task.status === 1 ? t('pause') : t('resume')}</LinkButton>
          <LinkButton onClick={() => onDo({ what: 'edit', task })}>{t('edit', { ns: 'shared' })}</LinkButton>
        </>
      ) : null}
      {may.log ? <Link to={`/system/schedule/log?taskId=${task.id}`}>{t('log')}</Link> : null}
      {may.remove && !task.builtin ? (
        <LinkButton danger onClick={() => onDo({ what: 'delete', task })}>
          {t('delete', { ns: 'shared' })}
        </LinkButton>
      ) : null}
    </div>
  )
}

const DeleteTask = ({ task, onClose }: { task: TaskRow; onClose: (done: boolean) => void }) => {
  const { t } = useTranslation(['schedule', 'shared'])
  const say = useSay()
  const nameOf = useTaskName()
  return (
    <Confirm
      title={t('deleteTitle')}
      question={t('deleteText', { name: nameOf(task) })}
      okText={t('delete', { ns: 'shared' })}
      danger
      onOk={async () => {
        await call('schedule.delete', { ids: [task.id] })
        say.ok('deleted')
      }}
      onClose={onClose}
    />
  )
}

const statusOf = (search: URLSearchParams): 0 | 1 | undefined => {
  const text = search.get('status')
  return text === '0' ? 0 : text === '1' ? 1 : undefined
}

export const Page = () => {
  const { t } = useTranslation('schedule')
  const client = useQueryClient()
  const mayAdd = useMay('system:schedule:task:save')
  const list = useList('schedule.list', TASKS, {
    filters: (search) => ({ status: statusOf(search) }),
    every: (rows) => whileBusy(rows?.some((task) => task.active > 0)),
  })
  const [doing, setDoing] = useState<Doing>(null)
  const columns = useColumns((task) => <RowActions task={task} onDo={setDoing} />)
  const closed = (changed: boolean) => {
    setDoing(null)
    if (changed) void client.invalidateQueries({ queryKey: SCHEDULE })
  }
  return (
    <PageBody
      title={t('title')}
      sub={t('sub')}
      actions={
        mayAdd ? (
          <Button type="primary" icon={<Icon name="plus" />} onClick={() => setDoing({ what: 'add' })}>
            {t('add')}
          </Button>
        ) : null
      }
    >
      <ListTable
        list={list}
        label={t('title')}
        columns={columns}
        toolbar={
          <>
            <SearchBox label={t('search')} value={list.query.key ?? ''} onSearch={(key) => list.set({ key })} />
            <Select<string>
              allowClear
              aria-label={t('status')}
              placeholder={t('status')}
              className="tool-select"
              value={list.search.get('status')}
              onChange={(status: string | undefined) => list.set({ status })}
              options={[
                { value: '1', label: t('on') },
                { value: '0', label: t('paused') },
              ]}
            />
          </>
        }
        empty={list.filtered ? t('emptyFiltered') : t('empty')}
      />
      <TaskDrawer
        open={doing?.what === 'add' || doing?.what === 'edit'}
        task={doing?.what === 'edit' ? doing.task : null}
        onClose={closed}
      />
      <RunDrawer id={doing?.what === 'watch' ? doing.run : null} onClose={() => closed(true)} />
      {doing?.what === 'delete' ? <DeleteTask task={doing.task} onClose={closed} /> : null}
    </PageBody>
  )
}
