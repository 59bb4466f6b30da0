/** Confirmation of what destroys: the person types the object's name. */
import { Input } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageModal } from './PageModal.tsx'
import './texts.ts'

export interface TypedConfirmProps {
  open: boolean
  title: string
  /** What will be lost. */
  children: ReactNode
  /** What must be typed. */
  word: string
  okText: string
  /** Rejecting keeps the dialog open. */
  onOk: () => Promise<unknown>
  onCancel: () => void
}

const Body = ({ title, children, word, okText, onOk, onCancel }: TypedConfirmProps) => {
  const { t } = useTranslation('ui')
  const id = useId()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const right = typed.trim() === word
  const run = () => {
    if (!right || busy) return
    setBusy(true)
    onOk().catch(() => setBusy(false))
  }
  return (
    <PageModal
      open
      title={title}
      okText={okText}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true, disabled: !right, loading: busy }}
      onOk={run}
      onCancel={onCancel}
    >
      <div className="tg-stack">
        <div>{children}</div>
        <label className="tg-stack tg-tight" htmlFor={id}>
          <span>
            {t('typeToConfirm')} <code className="tg-mono">{word}</code>
          </span>
          <Input
            id={id}
            value={typed}
            onChange={(e) => setTyped(e.target.value)}
            onPressEnter={run}
            autoFocus
            spellCheck={false}
          />
        </label>
      </div>
    </PageModal>
  )
}

export const TypedConfirm = (props: TypedConfirmProps) => (props.open ? <Body {...props} /> : null)
