/** Changes the own password; every login of the account ends with it. */
import { fieldText } from '@tidegate/contract/errors'
import { Alert, App, Button, Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { actingNow } from '../../shared/acting.ts'
import { call } from '../../shared/api/call.ts'
import { currentLang } from '../../shared/i18n.ts'
import { passwordRule, usePasswordHint } from '../../shared/password-rules.ts'
import { setToken } from '../../shared/token.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useSession } from '../../shell/session.ts'

interface Values {
  password: string
  newPassword: string
}

export const Password = () => {
  const { t } = useTranslation('account')
  const { message } = App.useApp()
  const navigate = useNavigate()
  const hint = usePasswordHint()
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(form, async ({ password, newPassword }) => {
    await call('account.password', { password, newPassword })
    message.success(t('passwordChanged'))
    setToken(null)
    useSession.getState().reset()
    await navigate('/login', { replace: true })
  })
  const required = { required: true, message: fieldText('required', currentLang()) }
  const same = {
    validator: (_: unknown, value: string) =>
      value === form.getFieldValue('newPassword') ? Promise.resolve() : Promise.reject(new Error(t('notSame'))),
  }
  return (
    <Form<Values> form={form} layout="vertical" onFinish={save} className="account-form">
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item name="password" label={t('oldPassword')} rules={[required]}>
        <Input.Password autoComplete="current-password" />
      </Form.Item>
      <Form.Item name="newPassword" label={t('newPassword')} rules={[required, passwordRule]} extra={hint}>
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item name="again" label={t('again')} dependencies={['newPassword']} rules={[required, same]}>
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy} disabled={actingNow() !== null}>
        {t('changePassword')}
      </Button>
    </Form>
  )
}
