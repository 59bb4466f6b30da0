/** Deletes everything that the list shows, on all of its pages. */
import type { BlackRow } from '@tidegate/contract/operations/black'
import type { CallOf } from '@tidegate/contract/operations/index'
import { App } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/call.ts'
import { DeleteConfirm } from '../../../shared/DeleteConfirm.tsx'
import type { List } from '../../../shared/list/useList.ts'

const NOT_FILTERS: readonly string[] = ['sidx', 'order']

export const ClearDialog = ({ list, onClose }: { list: List<BlackRow>; onClose: (deleted: boolean) => void }) => {
  const { t } = useTranslation('black')
  const { message } = App.useApp()
  const filters = Object.fromEntries(Object.entries(list.filters).filter(([name]) => !NOT_FILTERS.includes(name)))
  return (
    <DeleteConfirm
      title={t('clearTitle')}
      word={t('clearWord')}
      onDelete={async () => {
        const { count } = await call('black.clear', filters as CallOf<'black.clear'>)
        message.info(t('cleared', { count }))
      }}
      onClose={onClose}
    >
      {list.filtered ? t('clearFiltered') : t('clearAll')}
    </DeleteConfirm>
  )
}
