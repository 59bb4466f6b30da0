/** Certificate and redirect of a site. */
import { useUi } from '@tidegate/ui/context'
import { absolute } from '@tidegate/ui/format'
import { App, Button, Drawer, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { UploadForm } from '../../shared/cert/UploadForm.tsx'
import { Field, FieldGroup } from '../../shared/Field.tsx'
import { useMay } from '../../shell/session.ts'
import { ApplyButton } from './ApplyButton.tsx'
import { useCertificates } from './api.ts'
import { errorAt } from './form.ts'
import { NumberField, SwitchField } from './SettingFields.tsx'
import { CertState } from './SiteState.tsx'
import type { TabProps } from './tabs.tsx'

const NONE = 0

export const HttpsTab = (props: TabProps) => {
  const { t } = useTranslation('site')
  const { settings, errors, onSettings } = props
  const { timeZone } = useUi()
  const { message } = App.useApp()
  const mayApply = useMay('cdn:cert:save')
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
              {mayApply ? (
                <>
                  <ApplyButton site={props.site} onCert={(certId) => onSettings({ certId })} />
                  <Button onClick={() => setUploading(true)}>{t('uploadCert')}</Button>
                </>
              ) : null}
              {chosen === undefined ? null : <CertState notAfter={chosen.notAfter} />}
              <Link to="/cdn/site/cert">{t('allCerts')}</Link>
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
        <UploadForm
          onSaved={(certId) => {
            message.success(t('certSaved'))
            setUploading(false)
            onSettings({ certId })
          }}
        />
      </Drawer>
    </>
  )
}
