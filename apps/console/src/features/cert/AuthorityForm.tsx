/** Settings of one certificate authority. */
import { CERT_AUTHORITY_KINDS, type CertAuthorityKind, needsEab } from '@tidegate/contract/cert'
import { fieldText } from '@tidegate/contract/errors'
import type { AuthorityIn, AuthorityRow } from '@tidegate/contract/operations/cert'
import { Alert, Button, Drawer, Form, Input, Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { currentLang } from '../../shared/i18n.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useSay } from '../../shared/useSay.tsx'
import { useKindWords } from './kinds.ts'

type Values = Omit<AuthorityIn, 'id'>

const NEW: Values = {
  name: '',
  kind: 'letsencrypt',
  directoryUrl: '',
  caBundle: '',
  email: '',
  eabKid: '',
  eabKey: '',
  enabled: true,
  isDefault: false,
}

const valuesOf = (row: AuthorityRow): Values => {
  const { name, kind, directoryUrl, caBundle, email, eabKid, eabKey, enabled, isDefault } = row
  return { name, kind, directoryUrl, caBundle, email, eabKid, eabKey, enabled, isDefault }
}

const Place = () => {
  const { t } = useTranslation('cert')
  return (
    <>
      <Form.Item name="directoryUrl" label={t('directory')} extra={t('directoryHint')} required>
        <Input maxLength={500} placeholder="https://ca.example.net/acme/acme/directory" spellCheck={false} />
      </Form.Item>
      <Form.Item name="caBundle" label={t('caBundle')} extra={t('caBundleHint')}>
        <Input.TextArea rows={5} className="tg-mono" spellCheck={false} placeholder="-----BEGIN CERTIFICATE-----" />
      </Form.Item>
    </>
  )
}

const Binding = ({ required }: { required: boolean }) => {
  const { t } = useTranslation('cert')
  return (
    <>
      <Form.Item name="eabKid" label={t('eabKid')} extra={t('eabHint')} required={required}>
        <Input maxLength={500} spellCheck={false} autoComplete="off" />
      </Form.Item>
      <Form.Item name="eabKey" label={t('eabKey')} required={required}>
        <Input.Password maxLength={1000} autoComplete="new-password" />
      </Form.Item>
    </>
  )
}

const AuthorityForm = ({ authority, onSaved }: { authority: AuthorityRow | null; onSaved: () => void }) => {
  const { t } = useTranslation(['cert', 'shared'])
  const say = useSay()
  const kinds = useKindWords()
  const [form] = Form.useForm<Values>()
  const kind = Form.useWatch<CertAuthorityKind | undefined>('kind', form) ?? authority?.kind ?? NEW.kind
  const bound = kind === 'custom' || needsEab(kind)
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    // What the kind has no field for is not kept.
    const free = { directoryUrl: '', caBundle: '', eabKid: '', eabKey: '' }
    await call('ca.save', { ...free, ...values, ...(authority !== null && { id: authority.id }) })
    say.ok(authority === null ? 'added' : 'edited')
    onSaved()
  })
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      initialValues={authority === null ? NEW : valuesOf(authority)}
      onFinish={save}
    >
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item name="kind" label={t('caKind')}>
        <Select
          options={CERT_AUTHORITY_KINDS.map((value) => ({ value, label: kinds[value] }))}
          onChange={(chosen: CertAuthorityKind) => {
            if (form.getFieldValue('name') === '' && chosen !== 'custom') form.setFieldValue('name', kinds[chosen])
          }}
        />
      </Form.Item>
      <Form.Item
        name="name"
        label={t('caName')}
        rules={[{ required: true, whitespace: true, message: fieldText('required', currentLang()) }]}
      >
        <Input maxLength={60} />
      </Form.Item>
      {kind === 'custom' ? <Place /> : null}
      <Form.Item name="email" label={t('email')} extra={t('emailHint')}>
        <Input maxLength={254} type="email" />
      </Form.Item>
      {bound ? <Binding required={needsEab(kind)} /> : null}
      <div className="tg-row">
        <Form.Item name="enabled" label={t('enabled')} valuePropName="checked">
          <Switch />
        </Form.Item>
        <Form.Item name="isDefault" label={t('isDefault')} valuePropName="checked">
          <Switch />
        </Form.Item>
      </div>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}

/** `authority` null: a new one. */
export const AuthorityDrawer = ({
  open,
  authority,
  onClose,
}: {
  open: boolean
  authority: AuthorityRow | null
  onClose: (saved: boolean) => void
}) => {
  const { t } = useTranslation('cert')
  const title = authority === null ? t('caAdd') : t('caEdit')
  return (
    <Drawer open={open} onClose={() => onClose(false)} title={title} size={520} destroyOnHidden>
      {open ? <AuthorityForm authority={authority} onSaved={() => onClose(true)} /> : null}
    </Drawer>
  )
}
