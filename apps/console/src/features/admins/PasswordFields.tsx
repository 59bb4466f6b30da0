/** A new password, typed twice. */
import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { passwordRules, required } from '../../shared/account-rules.ts'
import { usePasswordHint } from '../../shared/password-rules.ts'

/** `name` is the form's field. */
export const PasswordFields = ({ name }: { name: 'password' | 'newPassword' }) => {
  const { t } = useTranslation('admins')
  const form = Form.useFormInstance()
  const passwordHint = usePasswordHint()
  const same = {
    validator: (_: unknown, value: string) =>
      value === form.getFieldValue(name) ? Promise.resolve() : Promise.reject(new Error(t('notSame'))),
  }
  return (
    <>
      <Form.Item name={name} label={t('password')} rules={passwordRules()} extra={passwordHint}>
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item name="again" label={t('again')} dependencies={[name]} rules={[required(), same]}>
        <Input.Password autoComplete="new-password" />
      </Form.Item>
    </>
  )
}
