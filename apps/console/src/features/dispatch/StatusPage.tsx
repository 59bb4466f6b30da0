/** How the monitors see each node of the service groups. */
import { NODE_HEALTH, type NodeHealth } from '@tidegate/contract/monitor'
import { useRefresh } from '@tidegate/ui/RefreshInterval.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { useList } from '../../shared/list/useList.ts'
import { PageBody } from '../../shared/Page.tsx'
import { STABLE } from './api.ts'
import { useColumns, useHealthWords } from './columns.tsx'
import { HistoryDrawer } from './HistoryDrawer.tsx'
import { Groups, Monitors } from './Panels.tsx'
import { newestOf } from './rounds.ts'
import './dispatch.css'
import './texts.ts'

const groupOf = (search: URLSearchParams): number | undefined => Number(search.get('groupId')) || undefined
const healthOf = (search: URLSearchParams): NodeHealth | undefined =>
  NODE_HEALTH.find((word) => word === search.get('health'))

const HealthFilter = ({ health, onHealth }: { health: NodeHealth | undefined; onHealth: (h?: NodeHealth) => void }) => {
  const { t } = useTranslation('dispatch')
  const words = useHealthWords()
  return (
    <Select<NodeHealth>
      allowClear
      aria-label={t('health')}
      placeholder={t('health')}
      className="tool-select"
      value={health ?? null}
      onChange={(value) => onHealth(value ?? undefined)}
      options={NODE_HEALTH.map((value) => ({ value, label: words[value] }))}
    />
  )
}

export const Page = () => {
  const { t } = useTranslation('dispatch')
  const refresh = useRefresh(5000)
  const list = useList('dispatch.stable', STABLE, {
    filters: (search) => ({ groupId: groupOf(search), health: healthOf(search) }),
    every: refresh.interval,
  })
  const [shownId, setShown] = useState<number | null>(null)
  const data = list.answer?.data
  const rule = data?.rule
  const columns = useColumns(
    {
      limit: rule?.failPercent ?? 100,
      step: (rule?.frequency ?? 10) * 1000,
      end: newestOf(list.rows ?? []),
    },
    setShown,
  )
  const shown = list.rows?.find((row) => row.nodeId === shownId)
  return (
    <PageBody title={t('title')} sub={t('sub')}>
      {data === undefined ? null : (
        <>
          <p className="tg-soft tg-small dispatch-rule">
            {t('rule', { ...data.rule, ports: data.rule.ports.join(', ') })}
          </p>
          <div className="dispatch-panels">
            <Groups groups={data.groups} chosen={groupOf(list.search)} onChoose={(groupId) => list.set({ groupId })} />
            <Monitors monitors={data.monitors} />
          </div>
        </>
      )}
      <ListTable
        list={list}
        label={t('title')}
        columns={columns}
        rowKey={(row) => row.nodeId}
        toolbar={
          <>
            <SearchBox label={t('search')} value={list.query.key ?? ''} onSearch={(key) => list.set({ key })} />
            <HealthFilter health={healthOf(list.search)} onHealth={(health) => list.set({ health })} />
          </>
        }
        empty={list.filtered ? t('emptyFiltered') : t('empty')}
        refresh={refresh}
      />
      <HistoryDrawer
        node={shown === undefined ? null : { id: shown.nodeId, name: shown.name }}
        onClose={() => setShown(null)}
      />
    </PageBody>
  )
}
