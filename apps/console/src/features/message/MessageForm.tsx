/** Writes or changes a message. */
import { useQuery } from '@tanstack/react-query'
import { MESSAGE_TARGETS, MESSAGE_TYPE, type MessageTarget } from '@tidegate/contract/enums'
import { fieldText } from '@tidegate/contract/errors'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { brokenLink } from '@tidegate/contract/validators'
import { MomentPicker } from '@tidegate/ui/MomentPicker.tsx'
import { RichEditor } from '@tidegate/ui/RichEditor.tsx'
import { Alert, App, Button, Drawer, Form, Input, Radio, Switch } from 'antd'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Failed } from '../../shared/Failed.tsx'
import { currentLang } from '../../shared/i18n.ts'
import { messageQuery } from '../../shared/message/api.ts'
import { sendPicture } from '../../shared/picture.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useTargetWord } from './words.ts'

type Message = OutputOf<'message.info'>['data']

interface Values {
  title: string
  content: string
  type: 1 | 2
  status: boolean
  target: MessageTarget
  /** One account a line. */
  users: string
  createtime: string
  expireTime: string
}

const EMPTY: Values = {
  title: '',
  content: '',
  type: MESSAGE_TYPE.announcement,
  status: true,
  target: 'all',
  users: '',
  createtime: '',
  expireTime: '',
}

const valuesOf = (message: Message | null): Values =>
  message === null
    ? EMPTY
    : {
        ...message,
        type: message.type === MESSAGE_TYPE.inSite ? MESSAGE_TYPE.inSite : MESSAGE_TYPE.announcement,
        status: message.status === 1,
        users: message.users.join('\n'),
      }

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Pictures of the text; what is wrong with one is said at once. */
const usePictures = () => {
  const { message } = App.useApp()
  return useCallback(
    async (file: File): Promise<string | null> => {
      const sent = await sendPicture('message', file)
      if ('url' in sent) return sent.url
      message.error(sent.wrong)
      return null
    },
    [message],
  )
}

const TargetFields = () => {
  const { t } = useTranslation('messages')
  const word = useTargetWord()
  const target = Form.useWatch<MessageTarget>('target')
  return (
    <>
      <Form.Item name="target" label={t('target')} extra={target === 'admins' ? t('adminsHint') : undefined}>
        <Radio.Group options={MESSAGE_TARGETS.map((value) => ({ value, label: word(value) }))} />
      </Form.Item>
      {target === 'chosen' ? (
        <Form.Item name="users" label={t('users')} extra={t('usersHint')}>
          <Input.TextArea rows={4} spellCheck={false} />
        </Form.Item>
      ) : null}
    </>
  )
}

const MessageForm = ({ message: given, onSaved }: { message: Message | null; onSaved: () => void }) => {
  const { t } = useTranslation(['messages', 'shared', 'message'])
  const { message } = App.useApp()
  const upload = usePictures()
  const [form] = Form.useForm<Values>()
  const required = { required: true, message: fieldText('required', currentLang()) }
  const linked = {
    validator: (_: unknown, html: string) => {
      const broken = brokenLink(html)
      return broken === null
        ? Promise.resolve()
        : Promise.reject(new Error(`${broken}: ${fieldText('url', currentLang())}`))
    },
  }
  const { busy, failed, save } = useFormSave<Values>(form, async ({ status, users, createtime, ...values }) => {
    await call('message.save', {
      ...values,
      ...(given === null ? {} : { id: given.id }),
      ...(createtime === '' ? {} : { createtime }),
      status: status ? 1 : 0,
      users: linesOf(users ?? ''),
    })
    message.success(given === null ? t('added') : t('edited'))
    onSaved()
  })
  return (
    <Form<Values> form={form} layout="vertical" onFinish={save} initialValues={valuesOf(given)}>
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item name="title" label={t('title')} rules={[{ ...required, whitespace: true }]}>
        <Input maxLength={200} autoFocus={given === null} />
      </Form.Item>
      <Form.Item name="type" label={t('type')}>
        <Radio.Group
          options={[
            { value: MESSAGE_TYPE.announcement, label: t('announcement', { ns: 'message' }) },
            { value: MESSAGE_TYPE.inSite, label: t('inSite', { ns: 'message' }) },
          ]}
        />
      </Form.Item>
      <TargetFields />
      <div className="tg-row">
        <Form.Item name="createtime" label={t('publishAt')}>
          <MomentPicker placeholder={t('now')} />
        </Form.Item>
        <Form.Item name="expireTime" label={t('expireAt')}>
          <MomentPicker placeholder={t('never')} />
        </Form.Item>
        <Form.Item name="status" label={t('enabled')} valuePropName="checked">
          <Switch />
        </Form.Item>
      </div>
      <Form.Item name="content" label={t('content')} rules={[required, linked]}>
        <RichEditor label={t('content')} upload={upload} />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}

const Stored = ({ id, onSaved }: { id: number; onSaved: () => void }) => {
  const { data, error, refetch } = useQuery({ ...messageQuery(id), staleTime: 0, gcTime: 0 })
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  return data === undefined ? <div className="tg-bone" /> : <MessageForm message={data.data} onSaved={onSaved} />
}

/** `id` null: a new one. */
export const MessageFormDrawer = ({
  open,
  id,
  onClose,
}: {
  open: boolean
  id: number | null
  onClose: (saved: boolean) => void
}) => {
  const { t } = useTranslation('messages')
  return (
    <Drawer
      open={open}
      onClose={() => onClose(false)}
      title={id === null ? t('addTitle') : t('editTitle')}
      size={720}
      destroyOnHidden
    >
      {!open ? null : id === null ? (
        <MessageForm message={null} onSaved={() => onClose(true)} />
      ) : (
        <Stored id={id} onSaved={() => onClose(true)} />
      )}
    </Drawer>
  )
}
