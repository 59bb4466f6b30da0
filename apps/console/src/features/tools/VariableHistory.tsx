/** Who changed which runtime variable, from what to what. */
import { useQuery } from '@tanstack/react-query'
import type { VariableChange } from '@tidegate/contract/operations/tools'
import { useUi } from '@tidegate/ui/context'
import { type Column, DataTable } from '@tidegate/ui/DataTable.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { Drawer } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Failed } from '../../shared/Failed.tsx'
import { VARIABLES } from './api.ts'
import { useValueText } from './variable-words.tsx'

const useColumns = (): Column<VariableChange>[] => {
  const { t } = useTranslation('tools')
  const { lang } = useUi()
  const text = useValueText()
  return [
    { key: 'variable', title: t('variable'), render: (_, c) => c.title[lang] },
    { key: 'from', title: t('from'), render: (_, c) => text(c.before, c.unit) },
    {
      key: 'to',
      title: t('to'),
      render: (_, c) => (
        <div className="tg-two">
          {text(c.after, c.unit)}
          {c.reset ? <span className="tg-faint">{t('backToDefault')}</span> : null}
        </div>
      ),
    },
    { key: 'who', title: t('who'), dataIndex: 'by' },
    { key: 'when', title: t('when'), render: (_, c) => <RelativeTime iso={c.time} both /> },
  ]
}

const LIMIT = 20

const History = () => {
  const { t } = useTranslation('tools')
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPending } = useQuery({
    queryKey: [...VARIABLES, 'history', page],
    queryFn: ({ signal }) => call('variable.history', { page, limit: LIMIT }, { signal }),
    select: (answer) => answer.data,
    placeholderData: (old) => old,
  })
  const columns = useColumns()
  return (
    <DataTable<VariableChange>
      label={t('historyTitle')}
      columns={columns}
      rows={data?.list}
      total={data?.totalCount ?? 0}
      loading={isPending}
      query={{ page, limit: LIMIT }}
      onQuery={(change) => setPage(change.page ?? 1)}
      empty={t('emptyHistory')}
      failed={error === null ? undefined : <Failed error={error} onRetry={() => void refetch()} />}
    />
  )
}

export const VariableHistory = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { t } = useTranslation('tools')
  return (
    <Drawer open={open} onClose={onClose} title={t('historyTitle')} size={760} destroyOnHidden>
      {open ? <History /> : null}
    </Drawer>
  )
}
