/** Chooses days of the installation's time zone, by calendar or preset. */
import { Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { useUi } from './context.ts'
import { DATE_PRESETS, type DatePreset, type DayRange, presetDays } from './dates.ts'
import { useLazy } from './useLazy.ts'
import { useToday } from './useToday.ts'
import './texts.ts'

interface Props {
  label: string
  value: DayRange | null
  onChange: (range: DayRange | null) => void
}

const usePresetNames = (): Record<DatePreset, string> => {
  const { t } = useTranslation('ui')
  return {
    today: t('today'),
    yesterday: t('yesterday'),
    thisWeek: t('thisWeek'),
    thisMonth: t('thisMonth'),
    thisQuarter: t('thisQuarter'),
    last30: t('last30'),
    previousDay: t('previousDay'),
    nextDay: t('nextDay'),
  }
}

const loadPicker = async () => (await import('./range-picker.tsx')).RangePicker

/** Until the picker's code is here, a field that shows what is chosen stands in its place. */
export const DateRange = ({ label, value, onChange }: Props) => {
  const { t } = useTranslation('ui')
  const { timeZone } = useUi()
  const Picker = useLazy(loadPicker, true)
  const today = useToday()
  const names = usePresetNames()
  if (Picker === undefined)
    return <Input className="tg-range" readOnly aria-label={label} value={value ? `${value.from} – ${value.to}` : ''} />
  return (
    <Picker
      label={label}
      firstLabel={t('firstDay')}
      lastLabel={t('lastDay')}
      value={value}
      timeZone={timeZone}
      presets={DATE_PRESETS.map((preset) => ({ label: names[preset], range: () => presetDays(preset, today, value) }))}
      onChange={onChange}
    />
  )
}
