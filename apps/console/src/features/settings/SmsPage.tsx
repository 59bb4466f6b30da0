/** Short messages: three providers, their credentials, five templates each. The enabled one is chosen on load. */
import { TEMPLATE_KEYS, TEMPLATE_TITLES } from '@tidegate/contract/config/notify'
import { SMS_CONFIGS, SMS_PROVIDERS, type SmsType, smsConfig } from '@tidegate/contract/config/sms'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { phone } from '@tidegate/contract/validators'
import { Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { FieldGroup } from '../../shared/Field.tsx'
import { currentLang } from '../../shared/i18n.ts'
import { SecretMember, SwitchMember, TextMember } from './fields.tsx'
import { type RecordForm, useRecordForm } from './form.ts'
import { RecordPanel } from './RecordPanel.tsx'
import { RecordSwitch } from './RecordSwitch.tsx'
import { RecordsPage } from './RecordsPage.tsx'
import { SetState } from './SetState.tsx'
import { TestSend } from './TestSend.tsx'

const blankOf = (type: SmsType) => ({
  type,
  ...(type === 'smsbao'
    ? { api_addr: 'https://api.smsbao.com/sms', username: '', api_key: '', signname: '' }
    : { sdkappId: '', secretid: '', secretkey: '', signname: '' }),
  templateIds: Object.fromEntries(
    TEMPLATE_KEYS.map((key) => [
      key,
      { name: key, title: TEMPLATE_TITLES[key][currentLang()], id: '', status: 1, content: '' },
    ]),
  ),
})

const CloudFields = ({ form }: { form: RecordForm }) => (
  <>
    <TextMember form={form} path="sdkappId" label="sdkAppId" required />
    <TextMember form={form} path="secretid" label="secretId" required />
    <SecretMember form={form} path="secretkey" label="secretKey" required />
  </>
)

const BaoFields = ({ form }: { form: RecordForm }) => {
  const { t } = useTranslation('settings')
  return (
    <>
      <TextMember form={form} path="api_addr" label="API ADDR" required />
      <TextMember form={form} path="username" label={t('smsUsername')} required />
      <SecretMember form={form} path="api_key" label="API KEY" required />
    </>
  )
}

/** Cloud providers know their templates by id; SMS Bao sends the content as it stands. */
const Template = ({ form, name, type }: { form: RecordForm; name: (typeof TEMPLATE_KEYS)[number]; type: SmsType }) => {
  const { t } = useTranslation('settings')
  const at = `templateIds.${name}`
  return (
    <FieldGroup title={TEMPLATE_TITLES[name][currentLang()]}>
      <SwitchMember form={form} path={`${at}.status`} label={t('enabled')} on={1} off={0} />
      <TextMember form={form} path={`${at}.title`} label={t('templateTitle')} />
      {type === 'smsbao' ? null : <TextMember form={form} path={`${at}.id`} label={t('templateId')} />}
      <TextMember
        form={form}
        path={`${at}.content`}
        label={t('templateContent')}
        hint={type === 'smsbao' ? t('templateBaoHint') : t('templateCloudHint')}
        lines={2}
      />
    </FieldGroup>
  )
}

const Provider = ({ row, type }: { row: ConfigRow; type: SmsType }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, SMS_CONFIGS[type], blankOf(type))
  return (
    <>
      <RecordPanel form={form} title={row.remark} state={<RecordSwitch form={form} name={row.remark} />}>
        {type === 'smsbao' ? <BaoFields form={form} /> : <CloudFields form={form} />}
        <TextMember form={form} path="signname" label={t('signname')} required={type !== 'smsbao'} />
        <h2 className="settings-sub">{t('templates')}</h2>
        {TEMPLATE_KEYS.map((name) => (
          <Template key={name} form={form} name={name} type={type} />
        ))}
      </RecordPanel>
      <TestSend
        form={form}
        schema={smsConfig}
        address={phone}
        title={t('testSms')}
        label={t('testSmsTo')}
        button={t('testSmsSend')}
        send={(input) => call('notify.testSms', input)}
      />
    </>
  )
}

const Providers = ({ rows }: { rows: readonly ConfigRow[] }) => {
  const { t } = useTranslation('settings')
  const found = SMS_PROVIDERS.flatMap(({ type, recordId, name }) => {
    const row = rows.find((r) => r.id === recordId)
    return row === undefined ? [] : [{ type, row, name: name[currentLang()] }]
  })
  const [type, setType] = useState<SmsType>(
    () => (found.find((p) => p.row.status === 1) ?? found[0])?.type ?? 'tencent',
  )
  const chosen = found.find((p) => p.type === type)
  return (
    <>
      <Radio.Group
        className="settings-providers"
        aria-label={t('smsProvider')}
        value={type}
        onChange={(e) => setType(e.target.value as SmsType)}
      >
        {found.map((p) => (
          <Radio key={p.type} value={p.type}>
            {p.name} <SetState row={p.row} />
          </Radio>
        ))}
      </Radio.Group>
      {chosen === undefined ? null : <Provider key={type} row={chosen.row} type={type} />}
    </>
  )
}

export const Page = () => {
  const { t } = useTranslation('settings')
  return (
    <RecordsPage paramClass="sms" title={t('sms')} sub={t('smsSub')}>
      {(_recordOf, rows) => <Providers rows={rows} />}
    </RecordsPage>
  )
}
