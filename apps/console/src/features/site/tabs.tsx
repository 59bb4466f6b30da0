/** The tabs of a site's configuration, but for certificate and history. */
import type { SiteInfo } from '@tidegate/contract/operations/site'
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { Input, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { here } from '../../shared/console.ts'
import { Field, FieldGroup } from '../../shared/Field.tsx'
import { DomainsField, OriginFields, type PartProps } from './fields.tsx'
import { errorAt } from './form.ts'
import { OwnerField } from './OwnerField.tsx'
import { RulesEditor } from './RulesEditor.tsx'
import { NumberField, type SettingsProps, SwitchField, TextField } from './SettingFields.tsx'

export type TabProps = PartProps & SettingsProps & { site: SiteInfo }

export const BasicTab = (props: TabProps) => {
  const { t } = useTranslation('site')
  const { site, form, errors, onForm } = props
  return (
    <FieldGroup title={t('secAccess')}>
      <DomainsField {...props} />
      <Field label={t('cname')}>
        {() => (
          <span className="tg-row-tight site-static">
            <span className="tg-mono">{site.cname}</span>
            <CopyButton text={site.cname} label={t('cname')} />
          </span>
        )}
      </Field>
      {here.audience === 'admin' ? (
        <Field label={t('group')}>{() => <span className="site-static">{site.groupName}</span>}</Field>
      ) : null}
      <OwnerField {...props} />
      <Field label={t('remark')} error={errorAt(errors, 'remark')}>
        {(control) => (
          <Input
            {...control}
            value={form.remark}
            maxLength={255}
            onChange={(e) => onForm({ remark: e.target.value })}
          />
        )}
      </Field>
    </FieldGroup>
  )
}

export const OriginTab = (props: TabProps) => {
  const { t } = useTranslation('site')
  const { settings, onSettings } = props
  return (
    <>
      <FieldGroup title={t('secOrigins')}>
        <OriginFields {...props} />
        <Field label={t('balance')}>
          {(control) => (
            <Select
              {...control}
              value={settings.balance}
              onChange={(balance) => onSettings({ balance })}
              className="site-select"
              options={[
                { value: 'polling' as const, label: t('polling') },
                { value: 'iphash' as const, label: t('iphash') },
                { value: 'cookie' as const, label: t('cookie') },
              ]}
            />
          )}
        </Field>
      </FieldGroup>
      <FieldGroup title={t('secRequest')}>
        <TextField {...props} name="hostHeader" label={t('hostHeader')} hint={t('hostHeaderHint')} />
        <TextField {...props} name="sni" label={t('sni')} hint={t('sniHint')} />
        <SwitchField {...props} name="verifyTls" label={t('verifyTls')} />
      </FieldGroup>
      <FieldGroup title={t('secTimeouts')}>
        <NumberField {...props} name="connectTimeout" label={t('connectTimeout')} />
        <NumberField {...props} name="readTimeout" label={t('readTimeout')} />
        <NumberField {...props} name="retries" label={t('retries')} />
      </FieldGroup>
    </>
  )
}

export const CacheTab = (props: TabProps) => {
  const { t } = useTranslation('site')
  const { settings, errors, onSettings } = props
  return (
    <>
      <FieldGroup title={t('secCache')}>
        <SwitchField {...props} name="cacheEnabled" label={t('cacheEnabled')} />
        <SwitchField {...props} name="ignoreQuery" label={t('ignoreQuery')} />
      </FieldGroup>
      <FieldGroup title={t('secRules')}>
        <RulesEditor
          name="cacheRules"
          rules={settings.cacheRules}
          errors={errors}
          onRules={(cacheRules) => onSettings({ cacheRules })}
        />
      </FieldGroup>
      <FieldGroup title={t('secNoCache')}>
        <RulesEditor
          name="noCacheRules"
          rules={settings.noCacheRules}
          errors={errors}
          onRules={(noCacheRules) => onSettings({ noCacheRules })}
        />
      </FieldGroup>
      <FieldGroup title={t('secStale')}>
        <NumberField {...props} name="staleWhileRevalidate" label={t('swr')} />
        <NumberField {...props} name="staleIfError" label={t('sie')} />
      </FieldGroup>
    </>
  )
}
