/** The button that opens a table's settings; they are fetched when they are first asked for. */
import { Popover } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './Icon.tsx'
import type { TableSettingsProps } from './TableSettingsPanel.tsx'
import { useLazy } from './useLazy.ts'
import './texts.ts'

const loadPanel = async () => (await import('./TableSettingsPanel.tsx')).TableSettingsPanel

export const TableSettings = (props: TableSettingsProps) => {
  const { t } = useTranslation('ui')
  const [open, setOpen] = useState(false)
  const Panel = useLazy(loadPanel, open)
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      arrow={false}
      open={open}
      onOpenChange={setOpen}
      content={Panel === undefined ? <span className="tg-bone tg-bone-wide" /> : <Panel {...props} />}
    >
      <button
        type="button"
        className="tg-icon-button tg-icon-button-32"
        aria-label={t('tableSettings')}
        title={t('tableSettings')}
      >
        <Icon name="settings" />
      </button>
    </Popover>
  )
}
