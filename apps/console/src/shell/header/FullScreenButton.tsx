/** The whole screen for the console, and back. Where the browser cannot (or may not), it says so. */
import { App } from 'antd'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { ToolButton } from './ToolButton.tsx'

const subscribe = (changed: () => void) => {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}
const isFull = () => document.fullscreenElement !== null && document.fullscreenElement !== undefined

export const FullScreenButton = () => {
  const { t } = useTranslation('shell')
  const { message } = App.useApp()
  const full = useSyncExternalStore(subscribe, isFull)
  const toggle = async () => {
    try {
      if (full) await document.exitFullscreen()
      else if (document.fullscreenEnabled) await document.documentElement.requestFullscreen()
      else throw new Error('not supported')
    } catch {
      message.warning(t('fullScreenUnsupported'))
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
