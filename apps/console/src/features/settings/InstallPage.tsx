/** How nodes come in: the address they use, what an install command does, what must be open. */
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { useUi } from '@tidegate/ui/context'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { here } from '../../shared/console.ts'
import { Fact, Facts } from '../../shared/Facts.tsx'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { useInstall } from './api.ts'
import './settings.css'
import './texts.ts'

const MINUTE = 60

export const Page = () => {
  const { t } = useTranslation('settings')
  const { lang } = useUi()
  const install = useInstall()
  const data = install.data
  const number = new Intl.NumberFormat(lang)
  return (
    <PageBody title={t('install')} sub={t('installSub')}>
      {install.error === null ? null : <Failed error={install.error} onRetry={() => void install.refetch()} />}
      {data === undefined ? (
        install.error === null && <div className="tg-bone" />
      ) : (
        <div className="settings-stack">
          {data.publicUrl === '' ? (
            <Alert role="note" type="warning" showIcon title={t('noPublicUrl', { bind: data.bind })} />
          ) : null}
          <section className="tg-panel" aria-label={t('addresses')}>
            <Facts>
              <Fact label={t('publicUrl')}>
                <span className="tg-mono">{data.publicUrl === '' ? t('unset') : data.publicUrl}</span>
              </Fact>
              <Fact label={t('agentUrl')}>
                <span className="tg-row-tight tg-mono">
                  {data.agentUrl} <CopyButton text={data.agentUrl} label={t('agentUrl')} />
                </span>
              </Fact>
            </Facts>
          </section>
          <section className="tg-panel settings-panel" aria-label={t('howInstall')}>
            <header className="settings-head">
              <h2>{t('howInstall')}</h2>
              {here.variant === 'cdn' ? <Link to="/cdn/node/list">{t('toNodes')}</Link> : null}
            </header>
            <ol className="settings-steps">
              <li>{t('installStep1', { minutes: number.format(data.tokenTtl / MINUTE) })}</li>
              <li>{t('installStep2')}</li>
              <li>{t('installStep3')}</li>
              <li>{t('installStep4')}</li>
            </ol>
            <p className="tg-soft">{t('publicUrlHow')}</p>
          </section>
        </div>
      )}
    </PageBody>
  )
}
