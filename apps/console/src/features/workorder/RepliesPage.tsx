/** Quick replies: texts that the staff sends often. */
import { MAX_WORK_ORDER_TEXT } from '@tidegate/contract/limits'
import type { QuickReply } from '@tidegate/contract/operations/work-order'
import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { useReplies } from './api.ts'
import { needed, SetupForm } from './SetupForm.tsx'
import { SetupPage } from './SetupPage.tsx'
import './order.css'
import './texts.ts'

type Values = Omit<QuickReply, 'id'>

const ReplyForm = ({ row, onSaved }: { row: QuickReply | null; onSaved: () => void }) => {
  const { t } = useTranslation('workorder')
  return (
    <SetupForm<Values>
      initial={row ?? { title: '', shortcut: '', content: '', sort: 0 }}
      send={(values) => call('workReply.save', { ...values, ...(row === null ? {} : { id: row.id }) })}
      onSaved={onSaved}
    >
      <Form.Item name="shortcut" label={t('shortcut')} extra={t('shortcutHint')}>
        <Input maxLength={20} prefix="/" spellCheck={false} />
      </Form.Item>
      <Form.Item name="content" label={t('content')} rules={[needed()]}>
        <Input.TextArea autoSize={{ minRows: 4, maxRows: 16 }} maxLength={MAX_WORK_ORDER_TEXT} showCount />
      </Form.Item>
    </SetupForm>
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
      textOf={({ title, shortcut, content }) => `${title} /${shortcut} ${content}`}
      columns={[
        { key: 'title', title: t('name'), dataIndex: 'title' },
        {
          key: 'shortcut',
          title: t('shortcut'),
          render: (_, r) => (r.shortcut === '' ? <span className="tg-faint">–</span> : <code>/{r.shortcut}</code>),
        },
        {
          key: 'content',
          title: t('content'),
          render: (_, r) => <span className="order-preview">{r.content}</span>,
        },
        { key: 'sort', title: t('sort'), align: 'right', dataIndex: 'sort' },
      ]}
      list={list}
      remove={(row) => call('workReply.delete', { ids: [row.id] })}
      form={(row, onSaved) => <ReplyForm row={row} onSaved={onSaved} />}
    />
  )
}
