/** The last rounds of checks as bars: low and green when all were answered, high and red when none was. */
import { PROBE_KEEP } from '@tidegate/contract/monitor'
import type { StableRow } from '@tidegate/contract/operations/monitor'
import { useTranslation } from 'react-i18next'
import { barsOf } from './rounds.ts'

const STEP = 3
const HEIGHT = 22
/** Of a round in which nothing failed. */
const LOW = 5

export const Rounds = ({ points, step, end }: { points: StableRow['points']; step: number; end: number }) => {
  const { t } = useTranslation('dispatch')
  const bars = barsOf(points, step, end)
  if (bars.length === 0) return <span className="tg-faint">{t('noHistory')}</span>
  const label = t('historyText', { rounds: bars.length, bad: bars.filter((bar) => bar.share > 0).length })
  return (
    <svg
      className="dispatch-rounds"
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
      viewBox={`0 0 ${PROBE_KEEP * STEP} ${HEIGHT}`}
      width={PROBE_KEEP * STEP}
      height={HEIGHT}
    >
      <title>{label}</title>
      {bars.map(({ at, share, tone }) => {
        const height = LOW + share * (HEIGHT - LOW)
        return (
          <rect
            key={at}
            className={`dispatch-${tone}`}
            x={at * STEP}
            y={HEIGHT - height}
            width={STEP - 1}
            height={height}
          />
        )
      })}
    </svg>
  )
}
