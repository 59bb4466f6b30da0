/** The button that opens a list's saved views; what is behind it is fetched when it is first asked for. */
import { LazyPopover } from '@tidegate/ui/LazyPopover.tsx'
import { useTranslation } from 'react-i18next'

const loadPanel = async () => (await import('./ViewsPanel.tsx')).ViewsPanel

export const ViewsButton = ({ table }: { table: string }) => {
  const { t } = useTranslation('shared')
  return <LazyPopover icon="layers" label={t('views')} load={loadPanel} panel={{ table }} />
}
