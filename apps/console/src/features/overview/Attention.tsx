/** What a person should look at, worst first, each with the way there. */
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { StateData } from './api.ts'

type Item = StateData['attention'][number]

const words = (t: TFunction<'overview'>, { key, params }: Item): string => {
  switch (key) {
    case 'node_offline':
      return t('attNodeOffline', params)
    case 'node_refuses':
      return t('attNodeRefuses', params)
    case 'push_pending':
      return t('attPushPending', params)
    case 'clock_skew':
      return t('attClockSkew', params)
    case 'low_disk':
      return t('attLowDisk', params)
    case 'node_alert':
      return t('attNodeAlert', params)
    case 'cert_expiring':
      return t('attCertExpiring', params)
    case 'analytics_down':
      return t('attAnalyticsDown', params)
  }
}

export const Attention = ({ health }: { health: StateData | undefined }) => {
  const { t } = useTranslation('overview')
  if (health === undefined) return <div className="overview-room" />
  if (health.attention.length === 0) return <p className="overview-calm">{t('calm')}</p>
  return (
    <ul className="overview-attention">
      {health.attention.map((item) => (
        <li key={`${item.key} ${item.path} ${item.time} ${JSON.stringify(item.params)}`}>
          <i className={`overview-dot overview-${item.level}`} aria-hidden="true" />
          <div>
            {item.path === '' ? words(t, item) : <Link to={item.path}>{words(t, item)}</Link>}
            <span className="tg-faint tg-small">
              <RelativeTime iso={item.time} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}
