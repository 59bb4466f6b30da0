/** Certificate and redirect of a site. */
import { useQueryClient } from '@tanstack/react-query'
import { CodeEditor } from '@tidegate/ui/CodeEditor.tsx'
import { useUi } from '@tidegate/ui/context'
import { absolute } from '@tidegate/ui/format'
import { App, Button, Drawer, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { ApiError } from '../../shared/api/error.ts'
import { Field, FieldGroup } from '../../shared/Field.tsx'
import { useSay } from '../../shared/useSay.tsx'
import { CERTS, useCertificates } from './api.ts'
import { errorAt } from './form.ts'
import { NumberField, SwitchField } from './SettingFields.tsx'
import { CertState } from './SiteState.tsx'
import type { TabProps } from './tabs.tsx'

const NONE = 0

const Upload = ({ onSaved }: { onSaved: (id: number) => void }) => {
  const { t } = useTranslation('site')
  const { message } = App.useApp()
  const say = useSay()
  const client = useQueryClient()
  const [pem, setPem] = useState({ certPem: '', keyPem: '' })
  const [errors, setErrors] = useState<readonly { path: string; msg: string }[]>([])
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    setErrors([])
    try {
      const { id } = await call('cert.save', pem)
      message.success(t('certSaved'))
      await client.invalidateQueries({ queryKey: CERTS })
      onSaved(id)
    } catch (error) {
      const found = error instanceof ApiError ? error.failure.errors : []
      setErrors(found)
      if (found.length === 0) say.failed(error)
    } finally {
      setBusy(false)
    }
  }
  const area = (name: 'certPem' | 'keyPem', label: string) => (
    <Field label={label} required error={errorAt(errors, name)}>
      {(control) => (
        <CodeEditor
          {...control}
          label={label}
          mode="pem"
          value={pem[name]}
          hint="-----BEGIN"
          onChange={(text) => setPem((old) => ({ ...old, [name]: text }))}
        />
      )}
    </Field>
  )
  return (
    <>
      {area('certPem', t('certPem'))}
      {area('keyPem', t('keyPem'))}
      <Button type="primary" loading={busy} onClick={() => void save()}>
        {t('uploadCert')}
      </Button>
    </>
  )
}

export const HttpsTab = (props: TabProps) => {
  const { t } = useTranslation('site')
  const { settings, errors, onSettings } = props
  const { timeZone } = useUi()
  const [uploading, setUploading] = useState(false)
  const certificates = useCertificates()
  const chosen = certificates.data?.find((c) => c.id === settings.certId)
  const options = (certificates.data ?? []).map((c) => ({
    value: c.id,
    label: t('certUntil', { names: c.names.join(', '), date: absolute(c.notAfter, timeZone).slice(0, 10) }),
  }))
  return (
    <>
      <FieldGroup title={t('secCert')}>
        <Field label={t('chooseCert')} error={errorAt(errors, 'settings.certId')}>
          {(control) => (
            <div className="tg-row">
              <Select<number>
                {...control}
                value={settings.certId ?? NONE}
                loading={certificates.isPending}
                onChange={(value) => onSettings({ certId: value === NONE ? null : value })}
                options={[{ value: NONE, label: t('noCertOption') }, ...options]}
                className="site-select"
              />
              <Button onClick={() => setUploading(true)}>{t('uploadCert')}</Button>
              {chosen === undefined ? null : <CertState notAfter={chosen.notAfter} />}
            </div>
          )}
        </Field>
      </FieldGroup>
      <FieldGroup title={t('secRedirect')}>
        <SwitchField {...props} name="httpsRedirect" label={t('httpsRedirect')} />
        <Field label={t('redirectStatus')}>
          {(control) => (
            <Select
              {...control}
              value={settings.redirectStatus}
              onChange={(redirectStatus) => onSettings({ redirectStatus })}
              className="site-number"
              options={([301, 302, 307, 308] as const).map((value) => ({ value, label: String(value) }))}
            />
          )}
        </Field>
        <NumberField {...props} name="hstsMaxAge" label={t('hsts')} />
      </FieldGroup>
      <Drawer open={uploading} onClose={() => setUploading(false)} title={t('uploadCert')} size={560} destroyOnHidden>
        <Upload
          onSaved={(certId) => {
            setUploading(false)
            onSettings({ certId })
          }}
        />
      </Drawer>
    </>
  )
}
