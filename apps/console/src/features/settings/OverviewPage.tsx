/** What is set and what is missing, and what the installation stands on; each leads to where it is changed. */
import type { OutputOf } from '@tidegate/contract/operations/index'
import { useUi } from '@tidegate/ui/context'
import { bytes, figureText } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Fact, Facts } from '../../shared/Facts.tsx'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { chainTo } from '../../shell/menu.ts'
import { useSession } from '../../shell/session.ts'
import { useSystemOverview } from './api.ts'
import './settings.css'
import './texts.ts'

type Data = OutputOf<'system.overview'>['data']

/** Where the records of a class are edited. */
const SCREENS: Readonly<Record<string, string>> = {
  website: '/system/website',
  payment: '/system/payment',
  verify: '/system/verify',
  mail: '/system/mail',
  sms: '/system/sms',
  wechat: '/system/wechat',
  login: '/system/login',
  api: '/system/api',
  storage: '/cloud/storage',
  dispatch: '/cdn/dispatch/config',
}

const Installation = ({ data }: { data: Data }) => {
  const { t } = useTranslation('settings')
  const { lang } = useUi()
  const size = (n: number) => figureText(bytes(n, lang))
  const diskTone: Tone = data.disk.low ? 'bad' : data.disk.short ? 'warn' : 'good'
  const diskState = data.disk.low ? t('diskLow') : data.disk.short ? t('diskShort') : t('diskOk')
  const place = (outside: boolean) => (outside ? t('outside') : t('embedded'))
  const jobTone: Tone = data.jobs.failed > 0 ? 'warn' : 'good'
  return (
    <Facts>
      <Fact label={t('productVersion')}>
        {data.version} <span className="tg-faint">Node {data.node}</span>
      </Fact>
      <Fact label={t('database')}>
        PostgreSQL {data.database.version} · {size(data.database.bytes)} · {place(data.database.outside)}
      </Fact>
      <Fact
        label={t('analytics')}
        tone={data.analytics.ok ? 'good' : 'bad'}
        state={data.analytics.ok ? t('answers') : data.analytics.set ? t('silent') : t('unset')}
      >
        {data.analytics.set ? place(data.analytics.outside) : ''}
      </Fact>
      <Fact label={t('disk')} tone={diskTone} state={diskState}>
        {t('freeOf', { free: size(data.disk.free), total: size(data.disk.total) })}
      </Fact>
      <Fact label={t('dataDir')}>
        <span className="tg-mono">{data.dataDir}</span>
      </Fact>
      <Fact
        label={t('jobs')}
        tone={jobTone}
        state={data.jobs.failed > 0 ? t('jobsFailed', { n: data.jobs.failed }) : t('jobsOk')}
      >
        {t('jobsWaiting', { n: data.jobs.waiting })}
      </Fact>
      <Fact label={t('backup')}>
        {data.backup === null ? (
          <span className="tg-soft">{t('noBackup')}</span>
        ) : (
          <RelativeTime iso={data.backup.time} both />
        )}
      </Fact>
      <Fact label={t('uploads')}>
        {t('files', { n: data.uploads.files })} · {size(data.uploads.bytes)}
      </Fact>
      <Fact label={t('timeZone')}>{data.timeZone}</Fact>
    </Facts>
  )
}

const RecordState = ({ record }: { record: Data['records'][number] }) => {
  const { t } = useTranslation('settings')
  if (record.set && record.status === 1) return <StatusDot tone="good">{t('enabled')}</StatusDot>
  if (record.set) return <StatusDot tone="idle">{t('disabled')}</StatusDot>
  return <StatusDot tone="idle">{record.status === 1 ? t('byDefault') : t('unset')}</StatusDot>
}

const Records = ({ records }: { records: Data['records'] }) => {
  const { t } = useTranslation('settings')
  // What is switched off, or not permitted, is no link.
  const menu = useSession((session) => session.menu)
  return (
    <section className="tg-panel settings-panel" aria-label={t('whatIsSet')}>
      <header className="settings-head">
        <h2>{t('whatIsSet')}</h2>
      </header>
      <ul className="settings-list">
        {records
          .filter((record) => record.paramClass !== 'own')
          .map((record) => {
            const path = SCREENS[record.paramClass]
            return (
              <li key={record.paramKey}>
                {path !== undefined && chainTo(menu, path).length > 0 ? (
                  <Link to={path}>{record.remark}</Link>
                ) : (
                  <span>{record.remark}</span>
                )}
                <RecordState record={record} />
              </li>
            )
          })}
      </ul>
    </section>
  )
}

export const Page = () => {
  const { t } = useTranslation('settings')
  const overview = useSystemOverview()
  return (
    <PageBody title={t('overview')} sub={t('overviewSub')}>
      {overview.error === null ? null : <Failed error={overview.error} onRetry={() => void overview.refetch()} />}
      {overview.data === undefined ? (
        overview.error === null && <div className="tg-bone" />
      ) : (
        <div className="settings-stack">
          <section className="tg-panel" aria-label={t('installation')}>
            <Installation data={overview.data} />
          </section>
          <Records records={overview.data.records} />
        </div>
      )}
    </PageBody>
  )
}
