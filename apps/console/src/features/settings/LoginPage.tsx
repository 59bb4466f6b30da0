/** Login and registration. */
import { registerConfig } from '@tidegate/contract/config/account'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { useTranslation } from 'react-i18next'
import { SwitchMember } from './fields.tsx'
import { useRecordForm } from './form.ts'
import { RecordPanel } from './RecordPanel.tsx'
import { RecordsPage } from './RecordsPage.tsx'

const Register = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, registerConfig, {})
  return (
    <RecordPanel form={form} title={t('register')}>
      <SwitchMember form={form} path="closed" label={t('registerOpen')} hint={t('registerOpenHint')} on={false} off />
      <SwitchMember form={form} path="byMail" label={t('registerMail')} hint={t('registerMailHint')} />
      <SwitchMember form={form} path="byMobile" label={t('registerMobile')} hint={t('registerMobileHint')} />
    </RecordPanel>
  )
}

export const Page = () => {
  const { t } = useTranslation('settings')
  return (
    <RecordsPage paramClass="login" title={t('login')} sub={t('loginSub')}>
      {(recordOf) => <Register row={recordOf('register_config')} />}
    </RecordsPage>
  )
}
