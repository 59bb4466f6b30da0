/** The bound mobile number and mail address; another one is bound with a code that was sent there, and the password. */
import type { CodeChannel } from '@tidegate/contract/enums'
import { fieldText } from '@tidegate/contract/errors'
import { isMail, isPhone } from '@tidegate/contract/validators'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { Alert, App, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { actingNow } from '../../shared/acting.ts'
import { call } from '../../shared/api/call.ts'
import { currentLang } from '../../shared/i18n.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import type { Profile } from './api.ts'
import { WechatRow } from './Wechat.tsx'

interface Values {
  address: string
  code: string
  password: string
}

const BindDialog = ({ channel, onClose }: { channel: CodeChannel; onClose: (changed: boolean) => void }) => {
  const { t } = useTranslation(['account', 'shared'])
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    await call('profile.bind', { channel, ...values })
    message.success(t('bound'))
    onClose(true)
  })
  const sending = useFormSave<Values>(form, async ({ address }) => {
    await call('profile.code', { channel, address })
    message.success(t('codeSent'))
  })
  const required = { required: true, message: fieldText('required', currentLang()) }
  const right = channel === 'mail' ? isMail : isPhone
  const formed = {
    validator: (_: unknown, value: string) =>
      !value || right(value)
        ? Promise.resolve()
        : Promise.reject(new Error(fieldText(channel === 'mail' ? 'email' : 'phone', currentLang()))),
  }
  const send = () => {
    form.validateFields(['address']).then(
      () => sending.save(form.getFieldsValue()),
      () => undefined,
    )
  }
  const wrong = failed || sending.failed
  return (
    <PageModal
      open
      title={channel === 'mail' ? t('bindMail') : t('bindMobile')}
      okText={t('bind')}
      cancelText={t('cancel', { ns: 'shared' })}
      confirmLoading={busy}
      onOk={() => form.submit()}
      onCancel={() => onClose(false)}
    >
      <Form<Values> form={form} layout="vertical" onFinish={save}>
        {wrong === '' ? null : <Alert type="error" className="shell-alert" title={wrong} />}
        <Form.Item name="address" label={channel === 'mail' ? t('email') : t('mobile')} rules={[required, formed]}>
          <Input maxLength={254} autoComplete={channel === 'mail' ? 'email' : 'tel'} />
        </Form.Item>
        <Form.Item label={t('code')} required>
          <div className="tg-row">
            <Form.Item name="code" noStyle rules={[required]}>
              <Input maxLength={6} inputMode="numeric" autoComplete="one-time-code" aria-label={t('code')} />
            </Form.Item>
            <Button loading={sending.busy} onClick={send}>
              {t('sendCode')}
            </Button>
          </div>
        </Form.Item>
        <Form.Item name="password" label={t('password')} rules={[required]} extra={t('passwordHint')}>
          <Input.Password autoComplete="current-password" />
        </Form.Item>
      </Form>
    </PageModal>
  )
}

export const Contacts = ({ profile, onChanged }: { profile: Profile; onChanged: () => void }) => {
  const { t } = useTranslation('account')
  const [binding, setBinding] = useState<CodeChannel | null>(null)
  const rows = [
    { channel: 'sms' as const, label: t('mobile'), value: profile.mobile },
    { channel: 'mail' as const, label: t('email'), value: profile.email },
  ]
  return (
    <div className="tg-stack">
      {profile.force.phone && profile.mobile === '' ? <Alert type="info" showIcon title={t('forcePhone')} /> : null}
      <ul className="account-contacts">
        {rows.map(({ channel, label, value }) => (
          <li key={channel}>
            <span className="tg-soft">{label}</span>
            <span className={value === '' ? 'tg-faint' : 'tg-mono'}>{value === '' ? t('notBound') : value}</span>
            <Button size="small" disabled={actingNow() !== null} onClick={() => setBinding(channel)}>
              {value === '' ? t('bind') : t('change')}
            </Button>
          </li>
        ))}
        <WechatRow />
      </ul>
      {binding === null ? null : (
        <BindDialog
          channel={binding}
          onClose={(changed) => {
            setBinding(null)
            if (changed) onChanged()
          }}
        />
      )}
    </div>
  )
}
