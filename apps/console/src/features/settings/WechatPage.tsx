/** Customers' login by scanning a code with WeChat: the application's id and secret, and what is registered with it at WeChat. */
import { wechatConfig } from '@tidegate/contract/config/wechat'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { useUi } from '@tidegate/ui/context'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../shared/Failed.tsx'
import { useWechatSetup } from './api.ts'
import { SecretMember, TextMember } from './fields.tsx'
import { useRecordForm } from './form.ts'
import { RecordPanel } from './RecordPanel.tsx'
import { RecordSwitch } from './RecordSwitch.tsx'
import { RecordsPage } from './RecordsPage.tsx'

const BLANK = { appid: '', appSecret: '' }

/** An address in the form in which it is entered at WeChat. */
const Address = ({ text, label }: { text: string; label: string }) => (
  <div>
    <span className="tg-mono">{text}</span> <CopyButton text={text} label={label} />
  </div>
)

const Setup = () => {
  const { t } = useTranslation('settings')
  const { lang } = useUi()
  const { data, error, refetch } = useWechatSetup()
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <div className="tg-bone" />
  return (
    <section className="tg-panel settings-panel" aria-label={t('wechatSetup')}>
      <header className="settings-head">
        <h2>{t('wechatSetup')}</h2>
      </header>
      <dl className="settings-lines">
        <dt>{t('wechatDomain')}</dt>
        <dd>
          <Address text={data.domain} label={t('wechatDomain')} />
          <p className="settings-hint">{t('wechatDomainHint')}</p>
        </dd>
        <dt>{t('wechatCallbacks')}</dt>
        <dd>
          {data.callbacks.map((address) => (
            <Address key={address} text={address} label={address} />
          ))}
        </dd>
        <dt>{t('wechatLinkedCount')}</dt>
        <dd>{new Intl.NumberFormat(lang).format(data.linked)}</dd>
      </dl>
    </section>
  )
}

const Wechat = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, wechatConfig, BLANK)
  return (
    <RecordPanel form={form} title={t('wechatApp')} state={<RecordSwitch form={form} name={row.remark} />}>
      <TextMember form={form} path="appid" label="AppID" required hint={t('wechatAppidHint')} />
      <SecretMember form={form} path="appSecret" label="AppSecret" required />
    </RecordPanel>
  )
}

export const Page = () => {
  const { t } = useTranslation('settings')
  return (
    <RecordsPage paramClass="wechat" title={t('wechat')} sub={t('wechatSub')}>
      {(recordOf) => (
        <>
          <Wechat row={recordOf('wechat_config')} />
          <Setup />
        </>
      )}
    </RecordsPage>
  )
}
