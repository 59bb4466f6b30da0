/** Words for the kinds of certificate authorities. */
import type { CertAuthorityKind } from '@tidegate/contract/cert'
import { useTranslation } from 'react-i18next'

export const useKindWords = (): Readonly<Record<CertAuthorityKind, string>> => {
  const { t } = useTranslation('cert')
  return {
    letsencrypt: t('kindLe'),
    'letsencrypt-staging': t('kindLeStaging'),
    zerossl: t('kindZero'),
    google: t('kindGoogle'),
    custom: t('kindCustom'),
  }
}
