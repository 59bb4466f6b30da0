/** What customers must verify, and what verification costs. */
import { verifyConfig } from '@tidegate/contract/config/account'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { useTranslation } from 'react-i18next'
import { NumberMember, SwitchMember } from './fields.tsx'
import { type RecordForm, useRecordForm } from './form.ts'
import { RecordPanel } from './RecordPanel.tsx'
import { RecordsPage } from './RecordsPage.tsx'

const CENTS = 100

const Verify = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, verifyConfig, {})
  const yuan: RecordForm = {
    ...form,
    get: (path) => Number(form.get(path)) / CENTS,
    set: (path, value) => form.set(path, Math.round(Number(value) * CENTS)),
  }
  return (
    <RecordPanel form={form}>
      <SwitchMember form={form} path="forceRealName" label={t('forceRealName')} hint={t('forceHint')} />
      <SwitchMember form={form} path="forcePhone" label={t('forcePhone')} hint={t('forceHint')} />
      <NumberMember
        form={yuan}
        path="realNamePrice"
        label={t('realNamePrice')}
        hint={t('realNamePriceHint')}
        min={0}
        step={0.01}
      />
    </RecordPanel>
  )
}

export const Page = () => {
  const { t } = useTranslation('settings')
  return (
    <RecordsPage paramClass="verify" title={t('verify')} sub={t('verifySub')}>
      {(recordOf) => <Verify row={recordOf('verify_config')} />}
    </RecordsPage>
  )
}
