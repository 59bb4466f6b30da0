/** Website: name, logos, SEO, contact, with a live preview; features and linked site; service agreement; time zone. */
import {
  agreementConfig,
  dnsApiRoot,
  flagsConfig,
  SITE_NAME_SUGGESTED,
  systemConfig,
  webConfig,
} from '@tidegate/contract/config/web'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { Tabs } from 'antd'
import { useTranslation } from 'react-i18next'
import { FieldGroup } from '../../shared/Field.tsx'
import { SecretMember, SelectMember, SwitchMember, TextMember } from './fields.tsx'
import { type RecordForm, useRecordForm } from './form.ts'
import { ImageMember } from './ImageMember.tsx'
import { Preview } from './Preview.tsx'
import { RecordPanel } from './RecordPanel.tsx'
import { RecordsPage } from './RecordsPage.tsx'

const Basic = ({ form }: { form: RecordForm }) => {
  const { t } = useTranslation('settings')
  const long = [...form.text('basic.webName')].length > SITE_NAME_SUGGESTED
  const nameHint = long ? t('webNameLong', { n: SITE_NAME_SUGGESTED }) : t('webNameHint', { n: SITE_NAME_SUGGESTED })
  return (
    <FieldGroup title={t('basic')}>
      <TextMember form={form} path="basic.webName" label={t('webName')} hint={nameHint} required />
      <ImageMember form={form} path="basic.logoImgLight" label={t('logoLight')} purpose="logo" />
      <ImageMember form={form} path="basic.logoImgDark" label={t('logoDark')} purpose="logo" dark />
      <ImageMember form={form} path="basic.favicon" label={t('favicon')} purpose="favicon" />
      <SelectMember
        form={form}
        path="basic.lang"
        label={t('siteLang')}
        hint={t('siteLangHint')}
        options={[
          { value: 'zh', label: '简体中文' },
          { value: 'en', label: 'English' },
        ]}
      />
      <TextMember form={form} path="basic.icp" label={t('icp')} />
      <TextMember form={form} path="basic.isp" label={t('isp')} />
      <TextMember form={form} path="priceUnit" label={t('priceUnit')} hint={t('priceUnitHint')} required />
    </FieldGroup>
  )
}

const Web = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, webConfig, {})
  return (
    <RecordPanel form={form} aside={<Preview form={form} />}>
      <Basic form={form} />
      <FieldGroup title={t('seo')}>
        <TextMember form={form} path="seo.title" label={t('seoTitle')} hint={t('seoTitleHint')} />
        <TextMember form={form} path="seo.keywords" label={t('seoKeywords')} />
        <TextMember form={form} path="seo.description" label={t('seoDescription')} lines={2} />
      </FieldGroup>
      <FieldGroup title={t('contact')}>
        <TextMember form={form} path="contact.company" label={t('company')} />
        <TextMember form={form} path="contact.mobile" label={t('mobile')} />
        <TextMember form={form} path="contact.email" label={t('email')} />
        <TextMember form={form} path="contact.qq" label="QQ" />
        <TextMember form={form} path="contact.telegram" label="Telegram" />
        <TextMember form={form} path="contact.skype" label="Skype" />
      </FieldGroup>
    </RecordPanel>
  )
}

const SITE = { siteUrl: '', apiRootPath: '/api/', syncRegister: 0, token: '' }
const TARGETS = { cnameDomain: '', dnsAddress: '' }

/** Two members that are there or not as a whole: a switch makes and removes them. */
const Features = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, flagsConfig, {})
  return (
    <RecordPanel form={form} title={t('features')}>
      <SwitchMember form={form} path="rewrite" label={t('rewrite')} hint={t('rewriteHint')} on={1} off={0} />
      <SwitchMember form={form} path="ai_waf" label={t('aiWaf')} hint={t('aiWafHint')} on={1} off={0} />
      <WholeSwitch form={form} path="dns_rewrite" label={t('dnsRewrite')} begin={TARGETS} />
      {form.get('dns_rewrite') ? (
        <>
          <TextMember form={form} path="dns_rewrite.cnameDomain" label={t('cnameDomain')} required />
          <TextMember form={form} path="dns_rewrite.dnsAddress" label={t('dnsAddress')} />
        </>
      ) : null}
      <WholeSwitch form={form} path="otherSite" label={t('otherSite')} begin={SITE} />
      {form.get('otherSite') ? (
        <>
          <TextMember form={form} path="otherSite.siteUrl" label={t('siteUrl')} required />
          <TextMember form={form} path="otherSite.apiRootPath" label={t('apiRootPath')} required />
          <SecretMember form={form} path="otherSite.token" label="Token" hint={t('linkTokenHint')} />
          <SwitchMember form={form} path="otherSite.syncRegister" label={t('syncRegister')} on={1} off={0} />
        </>
      ) : null}
    </RecordPanel>
  )
}

const WholeSwitch = ({
  form,
  path,
  label,
  begin,
}: {
  form: RecordForm
  path: string
  label: string
  begin: object
}) => {
  const there = form.get(path) !== null && form.get(path) !== undefined
  const switched: RecordForm = { ...form, get: () => there, set: (at, on) => form.set(at, on === true ? begin : null) }
  return <SwitchMember form={switched} path={path} label={label} />
}

const Agreement = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, agreementConfig, {})
  return (
    <RecordPanel form={form}>
      <FieldGroup title="简体中文">
        <TextMember form={form} path="zh.title" label={t('agreementTitle')} />
        <TextMember form={form} path="zh.content" label={t('agreementText')} lines={8} />
      </FieldGroup>
      <FieldGroup title="English">
        <TextMember form={form} path="en.title" label={t('agreementTitle')} />
        <TextMember form={form} path="en.content" label={t('agreementText')} hint={t('agreementHint')} lines={8} />
      </FieldGroup>
    </RecordPanel>
  )
}

const System = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, systemConfig, {})
  return (
    <RecordPanel form={form} title={t('timeZone')}>
      <TextMember
        form={form}
        path="timeZone"
        label={t('timeZone')}
        hint={t('timeZoneHint')}
        placeholder="Asia/Shanghai"
      />
    </RecordPanel>
  )
}

/** The record's whole value is one text: the form's own member stands in for it. */
const DnsRoot = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, dnsApiRoot, '')
  const whole: RecordForm = {
    ...form,
    text: () => String(form.value ?? ''),
    set: (_path, member) => form.setWhole(member),
  }
  return (
    <RecordPanel form={form} title={t('dnsApiRoot')}>
      <TextMember
        form={whole}
        path=""
        label="DNS_USER_API_ROOT_URI"
        hint={t('dnsApiRootHint')}
        placeholder="https://"
      />
    </RecordPanel>
  )
}

export const Page = () => {
  const { t } = useTranslation('settings')
  return (
    <RecordsPage paramClass="website" title={t('website')} sub={t('websiteSub')}>
      {(recordOf) => (
        <Tabs
          items={[
            { key: 'web', label: t('tabWeb'), children: <Web row={recordOf('web_config')} /> },
            {
              key: 'features',
              label: t('tabFeatures'),
              children: (
                <div className="settings-stack">
                  <Features row={recordOf('feature_flags')} />
                  <DnsRoot row={recordOf('DNS_USER_API_ROOT_URI')} />
                  <System row={recordOf('system_config')} />
                </div>
              ),
            },
            { key: 'agreement', label: t('tabAgreement'), children: <Agreement row={recordOf('service_agreement')} /> },
          ]}
        />
      )}
    </RecordsPage>
  )
}
