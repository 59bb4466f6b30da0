/** Where uploads are kept. */
import { STORAGE_PARAMS, storageConfig } from '@tidegate/contract/config/services'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from './form.ts'
import { ParamFields, presetsOf } from './ParamFields.tsx'
import { RecordPanel } from './RecordPanel.tsx'
import { RecordsPage } from './RecordsPage.tsx'

const Storage = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, storageConfig, presetsOf(STORAGE_PARAMS))
  return (
    <RecordPanel form={form} title={t('storageUploads')}>
      <ParamFields form={form} params={STORAGE_PARAMS} />
    </RecordPanel>
  )
}

export const Page = () => {
  const { t } = useTranslation('settings')
  return (
    <RecordsPage paramClass="storage" title={t('storage')} sub={t('storageSub')}>
      {(recordOf) => <Storage row={recordOf('storage_config')} />}
    </RecordsPage>
  )
}
