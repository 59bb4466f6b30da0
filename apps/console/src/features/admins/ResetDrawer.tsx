/** Gives another administrator a new password. */
import type { AdminRow } from '@tidegate/contract/operations/admin'
import { Alert, App, Button, Drawer, Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { PasswordFields } from './PasswordFields.tsx'

interface Values {
  newPassword: string
}

const ResetForm = ({ admin, onSaved }: { admin: AdminRow; onSaved: () => void }) => {
  const { t } = useTranslation('admins')
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(form, async ({ newPassword }) => {
    await call('admin.resetPassword', { id: admin.id, newPassword })
    message.success(t('resetDone', { name: admin.username }))
    onSaved()
  })
  return (
    <Form<Values> form={form} layout="vertical" onFinish={save}>
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Alert type="warning" showIcon className="shell-alert" title={t('resetText')} />
      <PasswordFields name="newPassword" />
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('reset')}
      </Button>
    </Form>
  )
}

export const ResetDrawer = ({ admin, onClose }: { admin: AdminRow | null; onClose: () => void }) => {
  const { t } = useTranslation('admins')
  return (
    <Drawer
      open={admin !== null}
      onClose={onClose}
      title={admin === null ? '' : t('resetTitle', { name: admin.username })}
      size={420}
      destroyOnHidden
    >
      {admin === null ? null : <ResetForm admin={admin} onSaved={onClose} />}
    </Drawer>
  )
}
