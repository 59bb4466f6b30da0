/** Adds a site. The form comes when the drawer is opened first: it carries the schemas. */
import { Drawer } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Saved } from './useSiteSave.ts'

const AddForm = lazy(() => import('./AddForm.tsx').then((m) => ({ default: m.AddForm })))

interface Props {
  open: boolean
  onClose: () => void
  onSaved: (saved: Saved) => void
}

export const AddDrawer = ({ open, onClose, onSaved }: Props) => {
  const { t } = useTranslation('site')
  return (
    <Drawer open={open} onClose={onClose} title={t('addTitle')} size={640} destroyOnHidden>
      <Suspense fallback={null}>
        <AddForm onSaved={onSaved} />
      </Suspense>
    </Drawer>
  )
}
