/** Asks for a name to be typed, then deletes what has it. Saying no says 'operation cancelled'; a refusal by the server is said and leaves the question open. */
import { TypedConfirm } from '@tidegate/ui/TypedConfirm.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSay } from './useSay.tsx'

interface Props {
  title: string
  /** What must be typed. */
  word: string
  /** What will be lost. */
  children: ReactNode
  onDelete: () => Promise<unknown>
  onClose: (deleted: boolean) => void
}

export const DeleteConfirm = ({ title, word, children, onDelete, onClose }: Props) => {
  const { t } = useTranslation('shared')
  const say = useSay()
  return (
    <TypedConfirm
      open
      title={title}
      word={word}
      okText={t('delete')}
      onOk={async () => {
        try {
          await onDelete()
        } catch (error) {
          say.failed(error)
          throw error
        }
        say.ok('deleted')
        onClose(true)
      }}
      onCancel={() => {
        say.cancelled()
        onClose(false)
      }}
    >
      {children}
    </TypedConfirm>
  )
}
