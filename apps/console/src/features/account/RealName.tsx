/** The real name: handed in, reviewed, verified. */
import { fieldText } from '@tidegate/contract/errors'
import { isIdCard, isOldEnough } from '@tidegate/contract/validators'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import { Alert, App, Button, Checkbox, Descriptions, Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { actingNow } from '../../shared/acting.ts'
import { call } from '../../shared/api/call.ts'
import { currentLang } from '../../shared/i18n.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import type { Profile } from './api.ts'

interface Values {
  realName: string
  idCard: string
  consent: boolean
}

const TONES: Record<Profile['verifyStatus'], Tone> = {
  none: 'idle',
  pending: 'warn',
  verified: 'good',
  rejected: 'bad',
}

/** What is wrong with a number that was typed. */
const numberFault = (text: string): 'id_card' | 'id_card_age' | null => {
  if (text === '') return null
  if (!isIdCard(text)) return 'id_card'
  return isOldEnough(text, Date.now()) ? null : 'id_card_age'
}

const HandIn = ({ onChanged }: { onChanged: () => void }) => {
  const { t } = useTranslation('account')
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    const { verifyStatus } = await call('profile.realName', values)
    // What was rejected is said above the form.
    if (verifyStatus === 'verified') message.success(t('verifiedNow'))
    if (verifyStatus === 'pending') message.success(t('handedIn'))
    onChanged()
  })
  const required = { required: true, message: fieldText('required', currentLang()) }
  const formed = {
    validator: (_: unknown, value: string) => {
      const fault = numberFault((value ?? '').trim())
      return fault === null ? Promise.resolve() : Promise.reject(new Error(fieldText(fault, currentLang())))
    },
  }
  const agreed = {
    validator: (_: unknown, value: boolean) =>
      value ? Promise.resolve() : Promise.reject(new Error(fieldText('consent', currentLang()))),
  }
  return (
    <Form<Values> form={form} layout="vertical" onFinish={save} className="account-form">
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item name="realName" label={t('realName')} rules={[required]}>
        <Input maxLength={64} autoComplete="name" />
      </Form.Item>
      <Form.Item name="idCard" label={t('idCard')} rules={[required, formed]} extra={t('idCardHint')}>
        <Input maxLength={18} autoComplete="off" className="tg-mono" />
      </Form.Item>
      <Form.Item name="consent" valuePropName="checked" rules={[agreed]}>
        <Checkbox>{t('consent')}</Checkbox>
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy} disabled={actingNow() !== null}>
        {t('handIn')}
      </Button>
    </Form>
  )
}

export const RealName = ({ profile, onChanged }: { profile: Profile; onChanged: () => void }) => {
  const { t } = useTranslation('account')
  const { verifyStatus: status } = profile
  const words: Record<Profile['verifyStatus'], string> = {
    none: t('verifyNone'),
    pending: t('verifyPending'),
    verified: t('verifyVerified'),
    rejected: t('verifyRejected'),
  }
  const rows = [
    { key: 'state', label: t('state'), children: <StatusDot tone={TONES[status]}>{words[status]}</StatusDot> },
    ...(profile.realName === ''
      ? []
      : [
          { key: 'name', label: t('realName'), children: profile.realName },
          { key: 'card', label: t('idCard'), children: <span className="tg-mono">{profile.idCard}</span> },
          { key: 'asked', label: t('verifyAsked'), children: <RelativeTime iso={profile.verifyAsked} both /> },
        ]),
    ...(profile.verifyTime === ''
      ? []
      : [{ key: 'time', label: t('verifyTime'), children: <RelativeTime iso={profile.verifyTime} both /> }]),
  ]
  return (
    <div className="tg-stack">
      {profile.force.realName && status !== 'verified' ? (
        <Alert type="info" showIcon title={t('forceRealName')} />
      ) : null}
      {profile.verifyReason === '' ? null : (
        <Alert type="error" showIcon title={t('rejectedBecause', { reason: profile.verifyReason })} />
      )}
      <Descriptions column={1} size="small" items={rows} />
      {status === 'none' || status === 'rejected' ? <HandIn onChanged={onChanged} /> : null}
    </div>
  )
}
