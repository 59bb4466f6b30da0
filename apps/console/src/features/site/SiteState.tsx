/** Where a site stands on the nodes, and its certificate's time. */
import type { SiteRow } from '@tidegate/contract/operations/site'
import { useUi } from '@tidegate/ui/context'
import { absolute } from '@tidegate/ui/format'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import { useTranslation } from 'react-i18next'

type State = Pick<SiteRow, 'enabled' | 'nodes' | 'nodesLive' | 'nodesRefused'>

const DAY_MS = 86_400_000
const SOON_DAYS = 30

export const SiteState = ({ site }: { site: State }) => {
  const { t } = useTranslation('site')
  const { enabled, nodes, nodesLive: live, nodesRefused: refused } = site
  if (refused > 0) return <StatusDot tone="bad">{t('refusedOn', { refused, nodes })}</StatusDot>
  if (!enabled) return <StatusDot tone="idle">{t('disabled')}</StatusDot>
  if (nodes === 0) return <StatusDot tone="warn">{t('noNodes')}</StatusDot>
  if (live < nodes) return <StatusDot tone="busy">{t('pendingOn', { live, nodes })}</StatusDot>
  return <StatusDot tone="good">{t('liveOn', { live, nodes })}</StatusDot>
}

/** `notAfter` empty = no certificate. */
export const CertState = ({ notAfter }: { notAfter: string }) => {
  const { t } = useTranslation('site')
  const { timeZone } = useUi()
  if (notAfter === '') return <StatusDot tone="idle">{t('noCertificate')}</StatusDot>
  const days = Math.floor((Date.parse(notAfter) - Date.now()) / DAY_MS)
  const tone: Tone = days < 0 ? 'bad' : days < SOON_DAYS ? 'warn' : 'good'
  return (
    <span title={absolute(notAfter, timeZone)}>
      <StatusDot tone={tone}>{days < 0 ? t('certExpired') : t('daysLeft', { days })}</StatusDot>
    </span>
  )
}
