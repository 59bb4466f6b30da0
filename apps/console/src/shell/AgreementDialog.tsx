/** The service agreement in the person's language, as the operator published it. */
import { useQuery } from '@tanstack/react-query'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { RichText } from '@tidegate/ui/RichText.tsx'
import { useTranslation } from 'react-i18next'
import { call } from '../shared/api/call.ts'
import { Failed } from '../shared/Failed.tsx'
import { currentLang } from '../shared/i18n.ts'

export const AgreementDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('shell')
  const { data, error, refetch } = useQuery({
    queryKey: ['web.agent', currentLang()],
    queryFn: ({ signal }) => call('web.agent', {}, { signal }),
  })
  const found = data?.data
  return (
    <PageModal open title={found?.title || t('agreement')} width={720} footer={null} onCancel={onClose}>
      {error !== null ? <Failed error={error} onRetry={() => void refetch()} /> : null}
      {found === undefined ? (
        error === null ? (
          <div className="tg-bone" />
        ) : null
      ) : found.content === '' ? (
        <p className="tg-empty">{t('agreementNone')}</p>
      ) : (
        <RichText html={found.content} />
      )}
    </PageModal>
  )
}
