/** What needs a word from the person first: deletion, a new password, the review of a real name, acting for a customer. */
import type { CustomerRow } from '@tidegate/contract/operations/customer'
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { Alert, App, Form, Input, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passwordRules, required } from '../../shared/account-rules.ts'
import { call } from '../../shared/api/call.ts'
import { DeleteConfirm } from '../../shared/DeleteConfirm.tsx'
import { openActing } from '../../shared/open-acting.ts'
import { usePasswordHint } from '../../shared/password-rules.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useUser } from './api.ts'

interface DialogProps {
  user: CustomerRow
  onClose: (changed: boolean) => void
}

export const DeleteDialog = ({ user, onClose }: DialogProps) => {
  const { t } = useTranslation('users')
  return (
    <DeleteConfirm
      title={t('deleteTitle')}
      word={user.username}
      onDelete={() => call('customer.delete', { ids: [user.id] })}
      onClose={onClose}
    >
      {user.sites > 0 ? t('deleteOwns', { n: user.sites }) : t('deleteText')}
    </DeleteConfirm>
  )
}

/** The password that was made, this once. */
const MadePassword = ({ name, password, onClose }: { name: string; password: string; onClose: () => void }) => {
  const { t } = useTranslation('users')
  return (
    <PageModal
      open
      title={t('resetTitle', { name })}
      okText={t('seen')}
      onOk={onClose}
      onCancel={onClose}
      cancelButtonProps={{ hidden: true }}
    >
      <div className="tg-stack">
        <span>{t('madeText')}</span>
        <span className="tg-row">
          <code className="tg-mono users-made">{password}</code>
          <CopyButton text={password} label={t('password')} />
        </span>
      </div>
    </PageModal>
  )
}

export const ResetDialog = ({ user, onClose }: DialogProps) => {
  const { t } = useTranslation(['users', 'shared'])
  const { message } = App.useApp()
  const [form] = Form.useForm<{ newPassword: string }>()
  const [typed, setTyped] = useState(false)
  const passwordHint = usePasswordHint()
  const [made, setMade] = useState('')
  const { busy, failed, save } = useFormSave<{ newPassword: string }>(form, async ({ newPassword }) => {
    const { password } = await call('customer.password', { id: user.id, ...(typed ? { newPassword } : {}) })
    if (password !== undefined) setMade(password)
    else {
      message.success(t('resetDone', { name: user.username }))
      onClose(true)
    }
  })
  if (made !== '') return <MadePassword name={user.username} password={made} onClose={() => onClose(true)} />
  return (
    <PageModal
      open
      title={t('resetTitle', { name: user.username })}
      okText={t('reset')}
      cancelText={t('cancel', { ns: 'shared' })}
      confirmLoading={busy}
      onOk={() => form.submit()}
      onCancel={() => onClose(false)}
    >
      <Form form={form} layout="vertical" onFinish={save}>
        {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
        <Alert type="warning" showIcon className="shell-alert" title={t('resetText')} />
        <Segmented<'made' | 'typed'>
          aria-label={t('password')}
          value={typed ? 'typed' : 'made'}
          onChange={(value) => setTyped(value === 'typed')}
          options={[
            { value: 'made', label: t('makeOne') },
            { value: 'typed', label: t('typeOne') },
          ]}
        />
        {typed ? (
          <Form.Item name="newPassword" label={t('password')} rules={passwordRules()} extra={passwordHint}>
            <Input.Password autoComplete="new-password" />
          </Form.Item>
        ) : (
          <p className="tg-soft">{t('makeText')}</p>
        )}
      </Form>
    </PageModal>
  )
}

interface Decision {
  approve: boolean
  reason: string
}

/** Name and masked number beside each other, and the decision. */
export const VerifyDialog = ({ user, onClose }: DialogProps) => {
  const { t } = useTranslation(['users', 'shared'])
  const { message } = App.useApp()
  const info = useUser(user.id)
  const [form] = Form.useForm<Decision>()
  const approve = Form.useWatch('approve', form) ?? true
  const { busy, failed, save } = useFormSave<Decision>(form, async (values) => {
    await call('customer.verify', { id: user.id, approve: values.approve, reason: values.reason ?? '' })
    message.success(t('done', { ns: 'shared' }))
    onClose(true)
  })
  return (
    <PageModal
      open
      title={t('reviewTitle', { name: user.username })}
      okText={approve ? t('approve') : t('reject')}
      okButtonProps={{ danger: !approve }}
      cancelText={t('cancel', { ns: 'shared' })}
      confirmLoading={busy}
      onOk={() => form.submit()}
      onCancel={() => onClose(false)}
    >
      <Form<Decision> form={form} layout="vertical" onFinish={save} initialValues={{ approve: true, reason: '' }}>
        {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
        <dl className="users-facts">
          <dt>{t('realName')}</dt>
          <dd>{user.realName}</dd>
          <dt>{t('idCard')}</dt>
          <dd className="tg-mono">{info.data?.idCard ?? ''}</dd>
        </dl>
        <Form.Item name="approve" label={t('decision')}>
          <Segmented<boolean>
            options={[
              { value: true, label: t('approve') },
              { value: false, label: t('reject') },
            ]}
          />
        </Form.Item>
        {approve ? null : (
          <Form.Item name="reason" label={t('reason')} rules={[required()]} extra={t('reasonHint')}>
            <Input.TextArea rows={2} maxLength={255} />
          </Form.Item>
        )}
      </Form>
    </PageModal>
  )
}

export const ActDialog = ({ user, onClose }: DialogProps) => {
  const { t } = useTranslation(['users', 'shared'])
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, failed, save } = useFormSave<{ reason: string }>(form, async ({ reason }) => {
    const { handover } = await call('customer.impersonate', { id: user.id, reason })
    openActing('user', handover)
    onClose(false)
  })
  return (
    <PageModal
      open
      title={t('actTitle', { name: user.username })}
      okText={t('act')}
      cancelText={t('cancel', { ns: 'shared' })}
      confirmLoading={busy}
      onOk={() => form.submit()}
      onCancel={() => onClose(false)}
    >
      <Form form={form} layout="vertical" onFinish={save}>
        {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
        <p className="tg-soft">{t('actText')}</p>
        <Form.Item name="reason" label={t('reason')} rules={[required()]} extra={t('actReasonHint')}>
          <Input maxLength={255} />
        </Form.Item>
      </Form>
    </PageModal>
  )
}
