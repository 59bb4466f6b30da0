/** The button that opens a list's exports; what is behind it is fetched when it is first asked for, and goes on when it is closed. */
import { Icon } from '@tidegate/ui/Icon.tsx'
import { useLazy } from '@tidegate/ui/useLazy'
import { Popover } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ExportProps } from './ExportPanel.tsx'

const loadPanel = async () => (await import('./ExportPanel.tsx')).ExportPanel

export const ExportButton = (props: Omit<ExportProps, 'open' | 'onBusy'>) => {
  const { t } = useTranslation('shared')
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const Panel = useLazy(loadPanel, open)
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      arrow={false}
      open={open}
      onOpenChange={setOpen}
      content={
        Panel === undefined ? (
          <span className="tg-bone tg-bone-wide" />
        ) : (
          <Panel {...props} open={open} onBusy={setBusy} />
        )
      }
    >
      <button
        type="button"
        className="tg-icon-button tg-icon-button-32"
        aria-label={t('export')}
        title={t('export')}
        aria-busy={busy}
      >
        <Icon name="download" />
      </button>
    </Popover>
  )
}
