/** One message: title, when it came out, its text. To open it is to have read it. */
import { useQuery } from '@tanstack/react-query'
import { screenExists } from '@tidegate/contract/screens'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { RichText } from '@tidegate/ui/RichText.tsx'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { here } from '../console.ts'
import { Failed } from '../Failed.tsx'
import { messageQuery, useMarkRead } from './api.ts'
import './texts.ts'

interface Props {
  id: number
  onClose: () => void
}

/** Marks it once, when it is here. */
const useReading = (id: number, readStatus: number | undefined) => {
  const { mutate } = useMarkRead()
  useEffect(() => {
    if (readStatus === 0) mutate({ ids: [id] })
  }, [id, readStatus, mutate])
}

/** The customer of both consoles reads the same messages; a screen may be in one of them alone. */
const isHere = (link: string) => screenExists(link.split('?')[0] ?? '', [here.id])

export const MessageDialog = ({ id, onClose }: Props) => {
  const { t } = useTranslation('message')
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(messageQuery(id))
  const found = data?.data
  useReading(id, found?.readStatus)
  const go = found === undefined || !isHere(found.link) ? undefined : found.link
  return (
    <PageModal
      open
      title={found?.title ?? t('title')}
      width={640}
      onCancel={onClose}
      cancelText={t('close')}
      okText={t('open')}
      okButtonProps={{ hidden: go === undefined }}
      onOk={() => {
        onClose()
        if (go !== undefined) void navigate(go)
      }}
    >
      {error !== null ? <Failed error={error} onRetry={() => void refetch()} /> : null}
      {found === undefined ? (
        <div className="tg-bone" />
      ) : (
        <>
          <p className="tg-soft">
            <RelativeTime iso={found.createtime} both />
          </p>
          <RichText html={found.content} />
        </>
      )}
    </PageModal>
  )
}
