/** Which keys do what; only where the person may go is listed. */
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLang } from '../../shared/i18n.ts'
import { useSession } from '../session.ts'
import { goKeys } from './keys.ts'
import './palette.css'
import './texts.ts'

const Rows = ({ title, rows }: { title: string; rows: readonly (readonly [string, ReactNode])[] }) => (
  <section className="palette-sheet">
    <h2>{title}</h2>
    <dl>
      {rows.map(([what, keys]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{keys}</dd>
        </div>
      ))}
    </dl>
  </section>
)

export const ShortcutSheet = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { t } = useTranslation('palette')
  const menu = useSession((s) => s.menu)
  const general: [string, ReactNode][] = [
    [
      t('palette'),
      <span key="k">
        <kbd>Ctrl</kbd> <kbd>K</kbd>
      </span>,
    ],
    [t('showSheet'), <kbd key="s">?</kbd>],
    [t('closeAny'), <kbd key="e">Esc</kbd>],
  ]
  const going = goKeys(menu).map(({ key, item }): [string, ReactNode] => [
    item.meta.title[currentLang()],
    <span key={key}>
      <kbd>G</kbd> <span className="tg-faint">{t('then')}</span> <kbd>{key.toUpperCase()}</kbd>
    </span>,
  ])
  return (
    <PageModal open={open} onCancel={onClose} title={t('sheetTitle')} footer={null} width={560}>
      <Rows title={t('general')} rows={general} />
      {going.length === 0 ? null : <Rows title={t('goTo')} rows={going} />}
    </PageModal>
  )
}
