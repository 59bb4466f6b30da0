/** Outgoing mail: server by preset, sender, authorization password, port under 'advanced'; notices by Telegram and webhook. */
import { MAIL_PRESETS, mailConfig } from '@tidegate/contract/config/mail'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { mailAddress } from '@tidegate/contract/validators'
import { AutoComplete, Collapse } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Field } from '../../shared/Field.tsx'
import { currentLang } from '../../shared/i18n.ts'
import { NumberMember, SecretMember, SelectMember, TextMember } from './fields.tsx'
import { type Members, type RecordForm, useRecordForm } from './form.ts'
import { RecordPanel } from './RecordPanel.tsx'
import { RecordSwitch } from './RecordSwitch.tsx'
import { RecordsPage } from './RecordsPage.tsx'
import { TestSend } from './TestSend.tsx'

const BLANK = {
  protocol: 'smtp',
  host: '',
  username: '',
  password: '',
  port: 465,
  tls: 'implicit',
  fromName: '',
  templates: [],
}

/** The drop-down with the six presets; another server can be typed. Port and security follow the preset. */
const ServerMember = ({ form }: { form: RecordForm }) => {
  const { t } = useTranslation('settings')
  const choose = (host: string) => {
    const preset = MAIL_PRESETS.find((p) => p.host === host)
    form.setWhole({ ...(form.value as Members), host, ...(preset && { port: preset.port, tls: preset.tls }) }, ['host'])
  }
  return (
    <Field label={t('smtpServer')} required error={form.errorOf('host')} hint={t('smtpServerHint')}>
      {(control) => (
        <AutoComplete
          {...control}
          className="settings-select"
          value={form.text('host')}
          disabled={!form.row.editable}
          options={MAIL_PRESETS.map((p) => ({ value: p.host, label: `${p.name[currentLang()]} · ${p.host}` }))}
          onChange={choose}
          onBlur={() => form.touch('host')}
        />
      )}
    </Field>
  )
}

const Mail = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, mailConfig, BLANK)
  return (
    <>
      <RecordPanel form={form} title={t('mailServer')} state={<RecordSwitch form={form} name={row.remark} />}>
        <ServerMember form={form} />
        <TextMember form={form} path="username" label={t('mailSender')} required hint={t('mailSenderHint')} />
        <SecretMember form={form} path="password" label={t('mailPassword')} required hint={t('mailPasswordHint')} />
        <TextMember form={form} path="fromName" label={t('fromName')} />
        <Collapse
          ghost
          items={[
            {
              key: 'advanced',
              label: t('advanced'),
              forceRender: true,
              children: (
                <>
                  <NumberMember form={form} path="port" label={t('port')} required hint={t('portHint')} />
                  <SelectMember
                    form={form}
                    path="tls"
                    label={t('tls')}
                    options={[
                      { value: 'implicit', label: 'TLS' },
                      { value: 'starttls', label: 'STARTTLS' },
                    ]}
                  />
                </>
              ),
            },
          ]}
        />
      </RecordPanel>
      <TestSend
        form={form}
        schema={mailConfig}
        address={mailAddress}
        title={t('testMail')}
        label={t('testMailTo')}
        button={t('testMailSend')}
        send={(input) => call('notify.testMail', input)}
      />
    </>
  )
}

export const Page = () => {
  const { t } = useTranslation('settings')
  return (
    <RecordsPage paramClass="mail" title={t('mail')} sub={t('mailSub')}>
      {(recordOf) => <Mail row={recordOf('mail_config')} />}
    </RecordsPage>
  )
}
