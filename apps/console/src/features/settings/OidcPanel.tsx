/** Administrators' login at an OpenID provider of the operator's own. */
import { oidcConfig } from '@tidegate/contract/config/oidc'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { Field } from '../../shared/Field.tsx'
import { useMay } from '../../shell/session.ts'
import { useRoleChoices } from './api.ts'
import { SecretMember, SwitchMember, TextMember } from './fields.tsx'
import { type RecordForm, useRecordForm } from './form.ts'
import { RecordPanel } from './RecordPanel.tsx'

/** Role of accounts that are made at their first login; none: only linked accounts come in. */
const RoleMember = ({ form }: { form: RecordForm }) => {
  const { t } = useTranslation('settings')
  const value = form.get('autoCreateRole')
  const roles = useRoleChoices(useMay('account:role:list')).data ?? []
  // Without the right to see roles, the chosen one is shown by its number.
  const known = roles.map(({ id, name }) => ({ value: id, label: name }))
  const chosen =
    typeof value === 'number' && !roles.some(({ id }) => id === value) ? [{ value, label: `#${value}` }] : []
  return (
    <Field label={t('oidcRole')} hint={t('oidcRoleHint')} error={form.errorOf('autoCreateRole')}>
      {(control) => (
        <Select<number>
          {...control}
          aria-label={t('oidcRole')}
          className="settings-select"
          allowClear
          placeholder={t('oidcNoRole')}
          value={typeof value === 'number' ? value : null}
          disabled={!form.row.editable}
          options={[...known, ...chosen]}
          onChange={(next: number | undefined) => form.set('autoCreateRole', next ?? null)}
        />
      )}
    </Field>
  )
}

export const OidcPanel = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, oidcConfig, {})
  return (
    <RecordPanel form={form} title={t('oidc')}>
      <SwitchMember form={form} path="enabled" label={t('oidcEnabled')} hint={t('oidcEnabledHint')} />
      <TextMember form={form} path="issuer" label={t('oidcIssuer')} hint={t('oidcIssuerHint')} />
      <TextMember form={form} path="clientId" label="Client ID" />
      <SecretMember form={form} path="clientSecret" label="Client Secret" />
      <TextMember form={form} path="name" label={t('oidcName')} hint={t('oidcNameHint')} />
      <RoleMember form={form} />
      <TextMember form={form} path="claim" label={t('oidcClaim')} hint={t('oidcClaimHint')} />
      <TextMember form={form} path="claimValue" label={t('oidcClaimValue')} />
    </RecordPanel>
  )
}
