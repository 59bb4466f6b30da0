/** Span and refresh of the overview. */
import { CHART_RANGES, type ChartRange } from '@tidegate/contract/enums'
import { Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'

export const RangePicker = ({ range, onRange }: { range: ChartRange; onRange: (range: ChartRange) => void }) => {
  const { t } = useTranslation('overview')
  const names: Record<ChartRange, string> = {
    '1h': t('range1h'),
    '6h': t('range6h'),
    today: t('rangeToday'),
    '7d': t('range7d'),
    '30d': t('range30d'),
  }
  return (
    <Segmented<ChartRange>
      aria-label={t('range')}
      value={range}
      onChange={onRange}
      options={CHART_RANGES.map((value) => ({ value, label: names[value] }))}
    />
  )
}

export const RefreshPicker = ({ every, onEvery }: { every: number; onEvery: (ms: number) => void }) => {
  const { t } = useTranslation('overview')
  return (
    <Select<number>
      aria-label={t('refreshEvery')}
      value={every}
      onChange={onEvery}
      className="overview-refresh"
      options={[
        { value: 5000, label: t('every5s') },
        { value: 60_000, label: t('every1m') },
        { value: 300_000, label: t('every5m') },
        { value: 0, label: t('everyOff') },
      ]}
    />
  )
}
