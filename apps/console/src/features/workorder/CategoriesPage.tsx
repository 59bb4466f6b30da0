/** The sorts of work orders. */
import { fieldText } from '@tidegate/contract/errors'
import type { WorkOrderCategory } from '@tidegate/contract/operations/work-order'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Alert, Button, Form, Input, InputNumber, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { currentLang } from '../../shared/i18n.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useCategories } from './api.ts'
import { SetupPage } from './SetupPage.tsx'
import './texts.ts'

type Values = Pick<WorkOrderCategory, 'title' | 'sort' | 'enabled'>

const CategoryForm = ({ row, onSaved }: { row: WorkOrderCategory | null; onSaved: () => void }) => {
  const { t } = useTranslation(['workorder', 'shared'])
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    await call('workCategory.save', { ...values, ...(row === null ? {} : { id: row.id }) })
    onSaved()
  })
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      onFinish={save}
      initialValues={row ?? { title: '', sort: 0, enabled: true }}
    >
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item
        name="title"
        label={t('name')}
        rules={[{ required: true, whitespace: true, message: fieldText('required', currentLang()) }]}
      >
        <Input maxLength={50} autoFocus />
      </Form.Item>
      <Form.Item name="sort" label={t('sort')} extra={t('sortHint')}>
        <InputNumber min={0} max={9999} precision={0} />
      </Form.Item>
      <Form.Item name="enabled" label={t('enabled')} valuePropName="checked">
        <Switch />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
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
