/** The spans that statistics are mostly looked at for. */
import { CHART_RANGES, type ChartRange } from '@tidegate/contract/enums'
import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import './texts.ts'

export const QuickRanges = ({ range, onRange }: { range: ChartRange; onRange: (range: ChartRange) => void }) => {
  const { t } = useTranslation('ui')
  const names: Record<ChartRange, string> = {
    '1h': t('range1h'),
    '6h': t('range6h'),
    today: t('today'),
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
