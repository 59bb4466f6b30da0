/** Sets up an authenticator app: the password, then a code of the app that has scanned the secret. */
import { fieldText } from '@tidegate/contract/errors'
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { Alert, Form, Input, QRCode } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/call.ts'
import { currentLang } from '../i18n.ts'
import { useFormSave } from '../useFormSave.ts'
import { Ask } from './Ask.tsx'
import './security.css'

interface Begun {
  secret: string
  uri: string
}

interface Props {
  onClose: () => void
  /** With the recovery codes, if there are new ones. */
  onDone: (codes: string[]) => void
}

const Scan = ({ begun, onClose, onDone }: Props & { begun: Begun }) => {
  const { t } = useTranslation(['security', 'shared'])
  const [form] = Form.useForm<{ code: string }>()
  const { busy, failed, save } = useFormSave<{ code: string }>(form, async ({ code }) => {
    onDone((await call('security.totpConfirm', { code })).recoveryCodes)
  })
  return (
    <PageModal
      open
      title={t('appAdd')}
      okText={t('confirm')}
      cancelText={t('cancel', { ns: 'shared' })}
      confirmLoading={busy}
      mask={{ closable: false }}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <p>{t('scan')}</p>
      <div className="security-qr">
        <QRCode type="svg" value={begun.uri} size={176} color="#000000" bgColor="#ffffff" />
        <span className="tg-row-tight">
          <span className="tg-faint">{t('secretLabel')}</span>
          <span className="security-secret">{begun.secret}</span>
          <CopyButton text={begun.secret} label={t('secretLabel')} />
        </span>
      </div>
      <Form name="totp" form={form} layout="vertical" onFinish={save}>
        {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
        <Form.Item
          name="code"
          label={t('code')}
          rules={[{ required: true, pattern: /^\s*\d{6}\s*$/, message: fieldText('code_six', currentLang()) }]}
        >
          <Input inputMode="numeric" autoComplete="one-time-code" maxLength={8} autoFocus />
        </Form.Item>
      </Form>
    </PageModal>
  )
}

export const AppSetup = (props: Props) => {
  const { t } = useTranslation('security')
  const [begun, setBegun] = useState<Begun | null>(null)
  return begun === null ? (
    <Ask
      title={t('appAdd')}
      okText={t('next')}
      onClose={props.onClose}
      run={async ({ password }) => setBegun(await call('security.totp', { password }))}
    />
  ) : (
    <Scan begun={begun} {...props} />
  )
}
