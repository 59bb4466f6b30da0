/** What a person should look at, worst first, each with the way there. */

import { useUi } from '@tidegate/ui/context'
import { bytes, figureText } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { alertWords } from '../../shared/words.ts'
import type { StateData } from './api.ts'
import { useLeads } from './leads.ts'

const HERE = '/home/overview'

type Item = StateData['attention'][number]

interface Wording {
  size: (n: number) => string
  alert: (alert: string) => string
}

const words = (t: TFunction<'overview'>, { key, params }: Item, { size, alert }: Wording): string => {
  switch (key) {
    case 'node_offline':
      return t('attNodeOffline', params)
    case 'node_refuses':
      return t('attNodeRefuses', params)
    case 'node_failing':
      return t('attNodeFailing', params)
    case 'push_pending':
      return t('attPushPending', params)
    case 'clock_skew':
      return t('attClockSkew', params)
    case 'low_disk':
      return t('attLowDisk', { free: size(Number(params.free)), total: size(Number(params.total)) })
    case 'node_alert':
      return t('attNodeAlert', { ...params, alert: alert(String(params.alert)) })
    case 'cert_expired':
      return t('attCertExpired', params)
    case 'cert_expiring':
      return t('attCertExpiring', params)
    case 'analytics_down':
      return t('attAnalyticsDown', params)
    case 'figures_differ':
      return t('attFiguresDiffer', params)
  }
}

export const Attention = ({ health }: { health: StateData | undefined }) => {
  const { t } = useTranslation('overview')
  const { lang } = useUi()
  const { t: shared } = useTranslation('shared')
  const leads = useLeads()
  const wording: Wording = {
    size: (n) => figureText(bytes(n, lang)),
    alert: (alert) => alertWords(shared, alert),
  }
  if (health === undefined) return <div className="overview-room" />
  if (health.attention.length === 0) return <p className="overview-calm">{t('calm')}</p>
  return (
    <ul className="overview-attention">
      {health.attention.map((item) => (
        <li key={`${item.key} ${item.path} ${item.time} ${JSON.stringify(item.params)}`}>
          <i className={`overview-dot overview-${item.level}`} aria-hidden="true" />
          <div>
            {item.path !== HERE && leads(item.path) ? (
              <Link to={item.path}>{words(t, item, wording)}</Link>
            ) : (
              words(t, item, wording)
            )}
            <span className="tg-faint tg-small">
              <RelativeTime iso={item.time} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}
