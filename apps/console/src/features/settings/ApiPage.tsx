/** The identity API that compares real names with identity numbers: its credentials, and a try that shows what it says. */
import { IDENTITY_PARAMS, type IdentityVerdict, identityConfig } from '@tidegate/contract/config/services'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from './form.ts'
import { IdentityTest } from './IdentityTest.tsx'
import { ParamFields, presetsOf } from './ParamFields.tsx'
import { RecordPanel } from './RecordPanel.tsx'
import { RecordSwitch } from './RecordSwitch.tsx'
import { RecordsPage } from './RecordsPage.tsx'

const IdentityApi = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, identityConfig, presetsOf(IDENTITY_PARAMS))
  const verdicts: Record<IdentityVerdict, string> = {
    match: t('verdictMatch'),
    mismatch: t('verdictMismatch'),
    unknown: t('verdictUnknown'),
    failed: t('verdictFailed'),
  }
  return (
    <>
      <RecordPanel form={form} title={t('identityApi')} state={<RecordSwitch form={form} name={row.remark} />}>
        <ParamFields form={form} params={IDENTITY_PARAMS} />
      </RecordPanel>
      <IdentityTest form={form} verdicts={verdicts} />
    </>
  )
}

export const Page = () => {
  const { t } = useTranslation('settings')
  return (
    <RecordsPage paramClass="api" title={t('api')} sub={t('apiSub')}>
      {(recordOf) => <IdentityApi row={recordOf('identity_api')} />}
    </RecordsPage>
  )
}
