/** The staff's list of work orders. */
import type { WorkOrderRow } from '@tidegate/contract/operations/work-order'
import type { ItemResult } from '@tidegate/ui/bulk'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { call } from '../../shared/api/call.ts'
import { Confirm } from '../../shared/Confirm.tsx'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { useList } from '../../shared/list/useList.ts'
import { ORDERS } from '../../shared/order/api.ts'
import { PageBody } from '../../shared/Page.tsx'
import { usePollMs } from '../../shared/site-config.ts'
import { useMay } from '../../shell/session.ts'
import { useAssignees, useOrdersAgain } from './api.ts'
import { CategoryFilter, LabelFilter, labelOf, numberOf } from './LabelFilter.tsx'
import './order.css'
import { SoundButton } from './SoundButton.tsx'
import { Stats } from './Stats.tsx'
import './texts.ts'
import { useLabelWord } from './words.ts'

const useColumns = (): Column<WorkOrderRow>[] => {
  const { t } = useTranslation('workorder')
  const word = useLabelWord()
  return [
    { key: 'id', title: t('number'), sorter: true, render: (_, r) => `#${r.id}`, width: 80 },
    {
      key: 'title',
      heads: true,
      title: t('title'),
      width: 300,
      render: (_, r) => (
        <Link to={`/cdn/work-order/list/detail?id=${r.id}`} className="order-title">
          {r.waiting ? <strong>{r.title}</strong> : r.title}
        </Link>
      ),
    },
    {
      key: 'label',
      title: t('state'),
      render: (_, r) => {
        const [tone, text] = word(r.label)
        return <StatusDot tone={tone}>{text}</StatusDot>
      },
    },
    { key: 'category', title: t('category'), render: (_, r) => r.categoryObj.title },
    { key: 'userName', title: t('customer'), dataIndex: 'userName' },
    {
      key: 'assignee',
      title: t('assignee'),
      render: (_, r) => r.assignee?.name ?? <span className="tg-faint">{t('nobody')}</span>,
    },
    {
      key: 'lastSubmitDate',
      title: t('last'),
      sorter: true,
      render: (_, r) => <RelativeTime iso={r.lastSubmitDate} both />,
    },
    {
      key: 'rating',
      title: t('rating'),
      render: (_, r) => (r.rating === null ? <span className="tg-faint">–</span> : t('ratedAs', { rating: r.rating })),
    },
  ]
}

const AssigneeFilter = ({ value, onChange }: { value: string | null; onChange: (id: string | undefined) => void }) => {
  const { t } = useTranslation('workorder')
  const { data = [] } = useAssignees(true)
  return (
    <Select
      allowClear
      aria-label={t('assignee')}
      placeholder={t('assignee')}
      className="tool-select"
      value={value}
      onChange={(id: string | undefined) => onChange(id)}
      options={[
        { value: '0', label: t('nobody') },
        ...data.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}

/** Deletes, and keeps what became of each. */
const useDelete = () => {
  const again = useOrdersAgain()
  const [chosen, setChosen] = useState<WorkOrderRow[]>([])
  const [asked, setAsked] = useState(false)
  const [results, setResults] = useState<ItemResult[]>([])
  const run = async () => {
    const answer = await call('workOrder.delete', { ids: chosen.map((r) => r.id) })
    const names = new Map(chosen.map((r) => [r.id, `#${r.id} ${r.title}`]))
    setResults(answer.results.map(({ id, ok, msg }) => ({ key: id, name: names.get(id) ?? '', error: ok ? '' : msg })))
    setChosen([])
    await again()
  }
  return { chosen, setChosen, asked, setAsked, results, setResults, run }
}

export const Page = () => {
  const { t } = useTranslation(['workorder', 'shared'])
  const pollMs = usePollMs()
  const list = useList('workOrder.list', ORDERS, {
    filters: (search) => ({
      label: labelOf(search.get('label')),
      categoryId: numberOf(search.get('category')),
      assigneeId: numberOf(search.get('assignee')),
    }),
    every: pollMs,
  })
  const { search, set } = list
  const mayDelete = useMay('cdn:work-order:delete')
  const { chosen, setChosen, asked, setAsked, results, setResults, run } = useDelete()
  const columns = useColumns()
  return (
    <PageBody title={t('heading')} sub={t('sub')} actions={<SoundButton />}>
      <Stats />
      <ListTable
        list={list}
        label={t('heading')}
        columns={columns}
        toolbar={
          <>
            <LabelFilter
              value={labelOf(search.get('label'))}
              counts={list.answer?.counts}
              onChange={(label) => set({ label })}
            />
            <SearchBox label={t('search')} value={list.query.key ?? ''} onSearch={(key) => set({ key })} />
            <CategoryFilter value={search.get('category')} onChange={(category) => set({ category })} />
            <AssigneeFilter value={search.get('assignee')} onChange={(assignee) => set({ assignee })} />
          </>
        }
        bulk={
          mayDelete
            ? {
                ...{ chosen, setChosen, results, onSeen: () => setResults([]) },
                actions: [
                  { key: 'delete', label: t('delete', { ns: 'shared' }), danger: true, onRun: () => setAsked(true) },
                ],
              }
            : undefined
        }
        empty={list.filtered ? t('emptyFiltered') : t('empty')}
        exports
      />
      {asked ? (
        <Confirm
          title={t('delete', { ns: 'shared' })}
          question={{ ask: 'delete', what: t('what'), count: chosen.length, forever: true }}
          okText={t('delete', { ns: 'shared' })}
          danger
          onOk={run}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </PageBody>
  )
}
