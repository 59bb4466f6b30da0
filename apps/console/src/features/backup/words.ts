/** Words for kinds and places of backups. */
import type { BackupKind, BackupPlace } from '@tidegate/contract/enums'
import type { ImportOutcome } from '@tidegate/contract/operations/backup'
import { useTranslation } from 'react-i18next'

export const useKindWords = (): Readonly<Record<BackupKind, string>> => {
  const { t } = useTranslation('backup')
  return { hand: t('kindHand'), scheduled: t('kindScheduled'), command: t('kindCommand'), safety: t('kindSafety') }
}

export const usePlaceWords = (): Readonly<Record<BackupPlace, string>> => {
  const { t } = useTranslation('backup')
  return { disk: t('disk'), s3: t('s3') }
}

/** Why an import or restore was refused or failed, with the field that it is about. */
export const useReason = () => {
  const { t } = useTranslation('backup')
  const fields: Readonly<Record<string, string>> = { file: t('file'), name: t('title'), passphrase: t('passphraseOf') }
  return ({ field, error }: Pick<ImportOutcome, 'field' | 'error'>): string => {
    const name = fields[field]
    return name === undefined ? error : t('reasonAt', { field: name, error })
  }
}
