/** The button that opens a table's settings; they are fetched when they are first asked for. */
import { useTranslation } from 'react-i18next'
import { LazyPopover } from './LazyPopover.tsx'
import type { TableSettingsProps } from './TableSettingsPanel.tsx'
import './texts.ts'

const loadPanel = async () => (await import('./TableSettingsPanel.tsx')).TableSettingsPanel

export const TableSettings = (props: TableSettingsProps) => {
  const { t } = useTranslation('ui')
  return <LazyPopover icon="settings" label={t('tableSettings')} load={loadPanel} panel={props} />
}
