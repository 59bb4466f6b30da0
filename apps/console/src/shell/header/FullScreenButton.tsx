/** The whole screen for the console, and back. Where the browser cannot (or may not), it says so. */
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useSay } from '../../shared/useSay.tsx'
import { ToolButton } from './ToolButton.tsx'

const subscribe = (changed: () => void) => {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}
const isFull = () => document.fullscreenElement !== null && document.fullscreenElement !== undefined

export const FullScreenButton = () => {
  const { t } = useTranslation('shell')
  const say = useSay()
  const full = useSyncExternalStore(subscribe, isFull)
  const toggle = async () => {
    try {
      if (full) await document.exitFullscreen()
      else if (document.fullscreenEnabled) await document.documentElement.requestFullscreen()
      else throw new Error('not supported')
    } catch {
      say.not('fullScreenUnsupported')
    }
  }
  return (
    <ToolButton
      icon={full ? 'shrink' : 'full'}
      name={full ? t('fullScreenEnd') : t('fullScreen')}
      pressed={full}
      onClick={() => void toggle()}
    />
  )
}
