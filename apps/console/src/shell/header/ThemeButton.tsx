/** Opens the theme drawer, whose code comes with the first opening. */
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ToolButton } from './ToolButton.tsx'

const ThemeDrawer = lazy(() => import('../theme/ThemeDrawer.tsx').then((m) => ({ default: m.ThemeDrawer })))

export const ThemeButton = () => {
  const { t } = useTranslation('shell')
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <>
      <ToolButton icon="theme" name={t('theme')} onClick={() => setState('open')} />
      {state === 'never' ? null : (
        <Suspense fallback={null}>
          <ThemeDrawer open={state === 'open'} onClose={() => setState('closed')} />
        </Suspense>
      )}
    </>
  )
}
