/** Copies a text; says so; says why when it cannot. */
import { App } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './Icon.tsx'
import './texts.ts'

const DONE_MS = 1500

/** Falls back to a selection where the clipboard API is closed (plain http). Throws when neither works. */
const copyText = async (text: string) => {
  if (navigator.clipboard !== undefined && window.isSecureContext) {
    await navigator.clipboard.writeText(text)
    return
  }
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('readonly', '')
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const done = typeof document.execCommand === 'function' && document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('copy')
}

/** `label` is what is copied, for readers; `text` empty fails with a message. */
export const CopyButton = ({ text, label }: { text: string; label?: string }) => {
  const { t } = useTranslation('ui')
  const { message } = App.useApp()
  const [done, setDone] = useState(false)
  const copy = async () => {
    if (text === '') {
      message.error(t('copyEmpty'))
      return
    }
    try {
      await copyText(text)
      setDone(true)
      setTimeout(() => setDone(false), DONE_MS)
      message.success(t('copied'))
    } catch {
      message.error(t('copyUnsupported'))
    }
  }
  const name = label === undefined ? t('copy') : t('copyWhat', { what: label })
  return (
    <button type="button" className="tg-icon-button" aria-label={name} title={name} onClick={() => void copy()}>
      <Icon name={done ? 'check' : 'copy'} size={14} />
    </button>
  )
}
