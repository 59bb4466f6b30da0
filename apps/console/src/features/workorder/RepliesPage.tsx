/** Quick replies: texts that the staff sends often. */
import { fieldText } from '@tidegate/contract/errors'
import { MAX_WORK_ORDER_TEXT } from '@tidegate/contract/limits'
import type { QuickReply } from '@tidegate/contract/operations/work-order'
import { Alert, Button, Form, Input, InputNumber } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { currentLang } from '../../shared/i18n.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useReplies } from './api.ts'
import { SetupPage } from './SetupPage.tsx'
import './order.css'
import './texts.ts'

type Values = Omit<QuickReply, 'id'>

const ReplyForm = ({ row, onSaved }: { row: QuickReply | null; onSaved: () => void }) => {
  const { t } = useTranslation(['workorder', 'shared'])
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    await call('workReply.save', { ...values, ...(row === null ? {} : { id: row.id }) })
    onSaved()
  })
  const required = { required: true, whitespace: true, message: fieldText('required', currentLang()) }
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      onFinish={save}
      initialValues={row ?? { title: '', shortcut: '', content: '', sort: 0 }}
    >
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item name="title" label={t('name')} rules={[required]}>
        <Input maxLength={50} autoFocus />
      </Form.Item>
      <Form.Item name="shortcut" label={t('shortcut')} extra={t('shortcutHint')}>
        <Input maxLength={20} prefix="/" spellCheck={false} />
      </Form.Item>
      <Form.Item name="content" label={t('content')} rules={[required]}>
        <Input.TextArea rows={8} maxLength={MAX_WORK_ORDER_TEXT} />
      </Form.Item>
      <Form.Item name="sort" label={t('sort')} extra={t('sortHint')}>
        <InputNumber min={0} max={9999} precision={0} />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}

export const Page = () => {
  const { t } = useTranslation('workorder')
  const list = useReplies()
  return (
    <SetupPage<QuickReply>
      title={t('repliesHeading')}
      sub={t('repliesSub')}
      add={t('replyAdd')}
      edit={t('replyEdit')}
      what={t('quickReply')}
      empty={t('repliesEmpty')}
      columns={[
        { key: 'title', title: t('name'), dataIndex: 'title' },
        {
          key: 'shortcut',
          title: t('shortcut'),
          render: (_, r) => (r.shortcut === '' ? <span className="tg-faint">–</span> : <code>/{r.shortcut}</code>),
        },
        { key: 'content', title: t('content'), render: (_, r) => <span className="order-preview">{r.content}</span> },
        { key: 'sort', title: t('sort'), align: 'right', dataIndex: 'sort' },
      ]}
      list={list}
      remove={(row) => call('workReply.delete', { ids: [row.id] })}
      form={(row, onSaved) => <ReplyForm row={row} onSaved={onSaved} />}
    />
  )
}
