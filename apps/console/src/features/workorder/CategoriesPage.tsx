/** The sorts of work orders. */
import type { WorkOrderCategory } from '@tidegate/contract/operations/work-order'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Form, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { useCategories } from './api.ts'
import { SetupForm } from './SetupForm.tsx'
import { SetupPage } from './SetupPage.tsx'
import './texts.ts'

type Values = Pick<WorkOrderCategory, 'title' | 'sort' | 'enabled'>

const CategoryForm = ({ row, onSaved }: { row: WorkOrderCategory | null; onSaved: () => void }) => {
  const { t } = useTranslation('workorder')
  return (
    <SetupForm<Values>
      initial={row ?? { title: '', sort: 0, enabled: true }}
      send={(values) => call('workCategory.save', { ...values, ...(row === null ? {} : { id: row.id }) })}
      onSaved={onSaved}
    >
      <Form.Item name="enabled" label={t('enabled')} extra={t('categoryEnabledHint')} valuePropName="checked">
        <Switch />
      </Form.Item>
    </SetupForm>
  )
}

export const Page = () => {
  const { t } = useTranslation('workorder')
  const list = useCategories()
  return (
    <SetupPage<WorkOrderCategory>
      title={t('categoriesHeading')}
      sub={t('categoriesSub')}
      add={t('categoryAdd')}
      edit={t('categoryEdit')}
      what={t('category')}
      empty={t('categoriesEmpty')}
      textOf={({ title }) => title}
      columns={[
        { key: 'title', title: t('name'), dataIndex: 'title' },
        { key: 'sort', title: t('sort'), align: 'right', dataIndex: 'sort' },
        { key: 'orders', title: t('orders'), align: 'right', dataIndex: 'orders' },
        {
          key: 'enabled',
          title: t('state'),
          render: (_, r) => (
            <StatusDot tone={r.enabled ? 'good' : 'idle'}>{r.enabled ? t('enabled') : t('disabled')}</StatusDot>
          ),
        },
      ]}
      list={list}
      remove={(row) => call('workCategory.delete', { id: row.id })}
      form={(row, onSaved) => <CategoryForm row={row} onSaved={onSaved} />}
    />
  )
}
