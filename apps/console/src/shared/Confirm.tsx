/** Asks before an operation. Saying no closes the question and says 'operation cancelled'; a refusal by the server is said and leaves the question open. */
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Question, questionLines } from './messages.ts'
import { useSay } from './useSay.tsx'

interface ConfirmProps {
  title: string
  /** One of the table's questions, or the page's own words. */
  question: Question | ReactNode
  okText: string
  danger?: boolean
  /** Rejecting keeps the question open. */
  onOk: () => Promise<unknown>
  /** After it was done, or cancelled. */
  onClose: (done: boolean) => void
}

const isQuestion = (value: Question | ReactNode): value is Question =>
  typeof value === 'object' && value !== null && 'ask' in value

export const Confirm = ({ title, question, okText, danger = false, onOk, onClose }: ConfirmProps) => {
  const { t } = useTranslation('shared')
  const say = useSay()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      await onOk()
      onClose(true)
    } catch (error) {
      say.failed(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <PageModal
      open
      title={title}
      okText={okText}
      cancelText={t('cancel')}
      okButtonProps={{ danger, loading: busy }}
      onOk={() => void run()}
      onCancel={() => {
        say.cancelled()
        onClose(false)
      }}
    >
      {isQuestion(question) ? questionLines(question).map((line) => <p key={line}>{line}</p>) : question}
    </PageModal>
  )
}
