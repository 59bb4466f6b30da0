/** The button that opens a list's exports; what is behind it is fetched when it is first asked for, and goes on when it is closed. */
import { LazyPopover } from '@tidegate/ui/LazyPopover.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ExportProps } from './ExportPanel.tsx'

const loadPanel = async () => (await import('./ExportPanel.tsx')).ExportPanel

export const ExportButton = (props: Omit<ExportProps, 'open' | 'onBusy'>) => {
  const { t } = useTranslation('shared')
  const [busy, setBusy] = useState(false)
  return (
    <LazyPopover
      icon="download"
      label={t('export')}
      load={loadPanel}
      panel={{ ...props, onBusy: setBusy }}
      busy={busy}
    />
  )
}
