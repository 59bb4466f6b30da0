/** What is done to one certificate: edited, replaced, deleted. */
import type { CertRow } from '@tidegate/contract/operations/cert'
import { Alert, Button, Drawer, Form, Input, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { UploadForm } from '../../shared/cert/UploadForm.tsx'
import { DeleteConfirm } from '../../shared/DeleteConfirm.tsx'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useSay } from '../../shared/useSay.tsx'

type Closing = (changed: boolean) => void
type Values = Pick<CertRow, 'remark' | 'autoRenew'>

const EditForm = ({ cert, onSaved }: { cert: CertRow; onSaved: () => void }) => {
  const { t } = useTranslation(['cert', 'shared'])
  const say = useSay()
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    await call('cert.edit', { id: cert.id, ...values })
    say.ok('edited')
    onSaved()
  })
  const { remark, autoRenew } = cert
  return (
    <Form<Values> form={form} layout="vertical" initialValues={{ remark, autoRenew }} onFinish={save}>
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item name="remark" label={t('remark')}>
        <Input maxLength={255} />
      </Form.Item>
      {cert.source === 'acme' ? (
        <Form.Item name="autoRenew" label={t('autoRenew')} valuePropName="checked">
          <Switch />
        </Form.Item>
      ) : null}
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}

export const EditDrawer = ({ cert, onClose }: { cert: CertRow | null; onClose: Closing }) => {
  const { t } = useTranslation('cert')
  return (
    <Drawer open={cert !== null} onClose={() => onClose(false)} title={t('editTitle')} size={420} destroyOnHidden>
      {cert === null ? null : <EditForm cert={cert} onSaved={() => onClose(true)} />}
    </Drawer>
  )
}

/** `cert` null: a new one. */
export const UploadDrawer = ({ open, cert, onClose }: { open: boolean; cert: CertRow | null; onClose: Closing }) => {
  const { t } = useTranslation('cert')
  const say = useSay()
  return (
    <Drawer
      open={open}
      onClose={() => onClose(false)}
      title={cert === null ? t('upload') : t('replaceTitle')}
      size={560}
      destroyOnHidden
    >
      {cert === null ? null : <Alert type="info" className="shell-alert" title={t('replaceText')} />}
      {open ? (
        <UploadForm
          {...(cert !== null && { id: cert.id, remark: cert.remark })}
          onSaved={() => {
            say.ok(cert === null ? 'added' : 'edited')
            onClose(true)
          }}
        />
      ) : null}
    </Drawer>
  )
}

export const DeleteCert = ({ cert, onClose }: { cert: CertRow; onClose: Closing }) => {
  const { t } = useTranslation('cert')
  return (
    <DeleteConfirm
      title={t('deleteTitle')}
      word={cert.names[0] ?? String(cert.id)}
      onDelete={() => call('cert.delete', { ids: [cert.id] })}
      onClose={onClose}
    >
      {t('deleteText')}
    </DeleteConfirm>
  )
}
