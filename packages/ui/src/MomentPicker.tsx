/** A day and a time of the installation's zone; the value is an ISO 8601 instant, '' for none. */
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useTranslation } from 'react-i18next'
import { useUi } from './context.ts'
import { absolute } from './format.ts'
import { useKeptOpen } from './useKeptOpen.ts'
import { wallToIso } from './wall-time.ts'
import './texts.ts'

interface Props {
  id?: string
  value?: string
  onChange?: (iso: string) => void
  placeholder?: string
}

const FORM = 'YYYY-MM-DD HH:mm'

export const MomentPicker = ({ id, value = '', onChange, placeholder }: Props) => {
  const { t } = useTranslation('ui')
  const { timeZone } = useUi()
  const { round, opened } = useKeptOpen()
  return (
    <DatePicker
      key={round}
      {...opened}
      {...(id === undefined ? {} : { id })}
      {...(placeholder === undefined ? {} : { placeholder })}
      panelRender={(panel) => (
        <div role="dialog" aria-label={t('chooseMoment')}>
          {panel}
        </div>
      )}
      showTime={{ format: 'HH:mm' }}
      format={FORM}
      // The picker knows the browser's zone alone: it is shown the wall-clock time and gives one back.
      value={value === '' ? null : dayjs(absolute(value, timeZone))}
      onChange={(moment) => onChange?.(moment === null ? '' : wallToIso(moment.format(FORM), timeZone))}
    />
  )
}
