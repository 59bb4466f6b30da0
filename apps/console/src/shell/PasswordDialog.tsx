/** Changes one's own password; all logins of the account end with it. */

import { fieldText } from '@tidegate/contract/errors'
import { password as passwordRule } from '@tidegate/contract/validators'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { Alert, Form, Input, type InputRef } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../shared/api/call.ts'
import { ApiError, errorLine } from '../shared/api/error.ts'
import { currentLang } from '../shared/i18n.ts'

interface Values {
  password: string
  newPassword: string
  again: string
}

interface Props {
  onClose: () => void
  onChanged: () => void
}

export const PasswordDialog = ({ onClose, onChanged }: Props) => {
  const { t } = useTranslation('shell')
  const [form] = Form.useForm<Values>()
  const first = useRef<InputRef>(null)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState('')
  const save = async ({ password, newPassword }: Values) => {
    setBusy(true)
    setFailed('')
    try {
      // A wrong old password is the dialog's own matter, even if it comes as a 401.
      await call('admin.password', { password, newPassword }, { quiet: true })
      onClose()
      onChanged()
    } catch (error) {
      const fields = error instanceof ApiError ? error.failure.errors : []
      const known = fields.filter((e) => e.path === 'password' || e.path === 'newPassword')
      form.setFields(known.map((e) => ({ name: e.path as keyof Values, errors: [e.msg] })))
      if (known.length === 0)
        setFailed(error instanceof ApiError && error.failure.code === 401 ? t('confirmOld') : errorLine(error))
    } finally {
      setBusy(false)
    }
  }
  const required = { required: true, message: fieldText('required', currentLang()) }
  const formed = {
    validator: (_: unknown, value: string) =>
      !value || passwordRule.safeParse(value).success
        ? Promise.resolve()
        : Promise.reject(new Error(fieldText('password_form', currentLang()))),
  }
  const same = {
    validator: (_: unknown, value: string) =>
      value === form.getFieldValue('newPassword') ? Promise.resolve() : Promise.reject(new Error(t('notSame'))),
  }
  return (
    <PageModal
      open
      title={t('changePassword')}
      okText={t('save')}
      cancelText={t('cancel')}
      confirmLoading={busy}
      onOk={() => form.submit()}
      onCancel={onClose}
      // Not by autoFocus: the page behind would scroll.
      afterOpenChange={(open) => open && first.current?.focus({ preventScroll: true })}
    >
      <Form<Values> form={form} layout="vertical" onFinish={(values) => void save(values)}>
        {failed === '' ? null : <Alert type="error" title={failed} className="shell-alert" />}
        <Form.Item name="password" label={t('oldPassword')} rules={[required]}>
          <Input.Password ref={first} autoComplete="current-password" />
        </Form.Item>
        <Form.Item name="newPassword" label={t('newPassword')} rules={[required, formed]}>
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Form.Item name="again" label={t('again')} dependencies={['newPassword']} rules={[required, same]}>
          <Input.Password autoComplete="new-password" />
        </Form.Item>
      </Form>
    </PageModal>
  )
}
