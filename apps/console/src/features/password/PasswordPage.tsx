/** One's own security: the password, whose change ends all logins of the account; second factor, open logins, allowed addresses, keys. */
import { fieldText } from '@tidegate/contract/errors'
import { Alert, Button, Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { call } from '../../shared/api/call.ts'
import { ApiError, isSilent } from '../../shared/api/error.ts'
import { currentLang } from '../../shared/i18n.ts'
import { PageBody } from '../../shared/Page.tsx'
import { passwordRule, usePasswordHint } from '../../shared/password-rules.ts'
import { ApiKeys } from '../../shared/security/ApiKeys.tsx'
import { SecurityPanels } from '../../shared/security/SecurityPanels.tsx'
import { setToken } from '../../shared/token.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { type Say, useSay } from '../../shared/useSay.tsx'
import { useMay, useSession } from '../../shell/session.ts'
import './texts.ts'

interface Values {
  password: string
  newPassword: string
  again: string
}

const useRules = (typed: () => string) => {
  const { t } = useTranslation('password')
  const required = { required: true, message: fieldText('required', currentLang()) }
  const same = {
    validator: (_: unknown, value: string) =>
      value === typed() ? Promise.resolve() : Promise.reject(new Error(t('notSame'))),
  }
  return { required, same }
}

/** Says why it was not changed, beside what the form says at its fields. */
const useChange = (say: Say) => async (password: string, newPassword: string) => {
  try {
    await call('admin.password', { password, newPassword })
  } catch (error) {
    const fields = error instanceof ApiError ? error.failure.errors : []
    if (fields.some((e) => e.path === 'password')) say.not('passwordWrong')
    else if (!isSilent(error)) say.not('passwordFailed')
    throw error
  }
}

export const Page = () => {
  const { t } = useTranslation('password')
  const say = useSay()
  const change = useChange(say)
  const navigate = useNavigate()
  const hint = usePasswordHint()
  const mayKeys = useMay('cdn:account:apikey')
  const [form] = Form.useForm<Values>()
  const rules = useRules(() => String(form.getFieldValue('newPassword') ?? ''))
  const { busy, failed, save } = useFormSave<Values>(form, async ({ password, newPassword }) => {
    await change(password, newPassword)
    say.ok('passwordChanged')
    // The server has ended this login with the others.
    setToken(null)
    useSession.getState().reset()
    await navigate('/login', { replace: true })
  })
  return (
    <PageBody title={t('title')} sub={t('sub')}>
      <div className="security">
        <section className="tg-panel tg-panel-body">
          <Form<Values> form={form} layout="vertical" onFinish={save}>
            {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
            <Form.Item name="password" label={t('old')} rules={[rules.required]}>
              <Input.Password autoComplete="current-password" />
            </Form.Item>
            <Form.Item name="newPassword" label={t('new')} rules={[rules.required, passwordRule]} extra={hint}>
              <Input.Password autoComplete="new-password" />
            </Form.Item>
            <Form.Item
              name="again"
              label={t('again')}
              dependencies={['newPassword']}
              rules={[rules.required, rules.same]}
            >
              <Input.Password autoComplete="new-password" />
            </Form.Item>
            <Button type="primary" htmlType="submit" loading={busy}>
              {t('change')}
            </Button>
          </Form>
        </section>
        <SecurityPanels />
        {mayKeys ? <ApiKeys /> : null}
      </div>
    </PageBody>
  )
}
