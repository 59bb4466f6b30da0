/** How the support does: what waits now, and the last 30 days. */

import { FigureStrip, FigureStripSkeleton } from '@tidegate/ui/FigureStrip.tsx'
import type { Figure } from '@tidegate/ui/format'
import { useTranslation } from 'react-i18next'
import { useStats } from './api.ts'

const NONE: Figure = { value: '–', unit: '' }

export const Stats = () => {
  const { t } = useTranslation('workorder')
  const { data } = useStats()
  if (data === undefined) return <FigureStripSkeleton cells={4} />
  const { waiting, open, firstAnswer, rating, rated, solved } = data
  /** Seconds below two minutes, minutes below two hours, else hours. */
  const span = (seconds: number): Figure => {
    if (seconds < 120) return { value: String(Math.round(seconds)), unit: t('seconds') }
    return seconds < 7200
      ? { value: (seconds / 60).toFixed(seconds < 600 ? 1 : 0), unit: t('minutes') }
      : { value: (seconds / 3600).toFixed(1), unit: t('hours') }
  }
  const item = (key: string, label: string, figure: Figure, hint: string) => ({
    ...{ key, label, figure, hint, more: 'neutral' as const, course: [] },
  })
  return (
    <div className="order-stats">
      <FigureStrip
        items={[
          item('waiting', t('statWaiting'), { value: String(waiting), unit: '' }, t('statOpen', { open })),
          item('first', t('statFirst'), firstAnswer === null ? NONE : span(firstAnswer), t('statSpan')),
          item(
            'rating',
            t('statRating'),
            rating === null ? NONE : { value: rating.toFixed(1), unit: '/ 5' },
            t('statRated', { count: rated }),
          ),
          item(
            'solved',
            t('statSolved'),
            solved === null ? NONE : { value: String(Math.round(solved * 100)), unit: '%' },
            t('statSpan'),
          ),
        ]}
      />
    </div>
  )
}
