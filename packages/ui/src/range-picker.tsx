/** antd's range picker over the installation's clock; loaded when a page first shows a date range. */
import dayjsSource from '@rc-component/picker/generate/dayjs'
import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useMemo } from 'react'
import { type DayRange, wallClock } from './dates.ts'
import { useKeptOpen } from './useKeptOpen.ts'

export interface RangePickerProps {
  label: string
  firstLabel: string
  lastLabel: string
  value: DayRange | null
  presets: readonly { label: string; range: () => DayRange }[]
  timeZone: string
  onChange: (range: DayRange | null) => void
}

const FORM = 'YYYY-MM-DD'
const pair = ({ from, to }: DayRange): [Dayjs, Dayjs] => [dayjs(from), dayjs(to)]

export const RangePicker = (props: RangePickerProps) => {
  const { round, opened } = useKeptOpen()
  const { label, firstLabel, lastLabel, value, presets, timeZone, onChange } = props
  // The browser's clock may stand in another zone: its "today" would be another day.
  const Picker = useMemo(
    () =>
      DatePicker.generatePicker({ ...dayjsSource, getNow: () => dayjs(wallClock(Date.now(), timeZone)) }).RangePicker,
    [timeZone],
  )
  return (
    <fieldset className="tg-range" aria-label={label}>
      <Picker
        key={round}
        {...opened}
        value={value === null ? null : pair(value)}
        presets={presets.map((preset) => ({ label: preset.label, value: () => pair(preset.range()) }))}
        placeholder={[firstLabel, lastLabel]}
        aria-label={label}
        panelRender={(panel) => (
          <div role="dialog" aria-label={label}>
            {panel}
          </div>
        )}
        allowEmpty={[false, false]}
        onChange={(days) => {
          const [from, to] = days ?? []
          onChange(from && to ? { from: from.format(FORM), to: to.format(FORM) } : null)
        }}
      />
    </fieldset>
  )
}
