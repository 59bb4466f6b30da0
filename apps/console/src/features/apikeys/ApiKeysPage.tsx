/** A customer's keys for programs. */
import { useTranslation } from 'react-i18next'
import { PageBody } from '../../shared/Page.tsx'
import { ApiKeys } from '../../shared/security/ApiKeys.tsx'
import './texts.ts'

export const Page = () => {
  const { t } = useTranslation('apikeys')
  return (
    <PageBody title={t('title')} sub={t('sub')}>
      <div className="security">
        <ApiKeys />
      </div>
    </PageBody>
  )
}
