/** Recovery codes, shown once. */
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { useTranslation } from 'react-i18next'
import './security.css'

export const Codes = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => {
  const { t } = useTranslation('security')
  return (
    <PageModal
      open
      title={t('codes')}
      okText={t('codesKept')}
      onOk={onClose}
      // A click beside it must not lose them.
      closable={false}
      mask={{ closable: false }}
      keyboard={false}
      cancelButtonProps={{ hidden: true }}
    >
      <p>{t('codesOnce')}</p>
      <ul className="security-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join('\n')} label={t('codes')} />
    </PageModal>
  )
}
