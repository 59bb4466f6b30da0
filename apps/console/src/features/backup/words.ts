/** Words for kinds and places of backups. */
import type { BackupKind, BackupPlace } from '@tidegate/contract/enums'
import { useTranslation } from 'react-i18next'

export const useKindWords = (): Readonly<Record<BackupKind, string>> => {
  const { t } = useTranslation('backup')
  return { hand: t('kindHand'), scheduled: t('kindScheduled'), command: t('kindCommand'), safety: t('kindSafety') }
}

export const usePlaceWords = (): Readonly<Record<BackupPlace, string>> => {
  const { t } = useTranslation('backup')
  return { disk: t('disk'), s3: t('s3') }
}
