/** Login and registration. */
import { registerConfig } from '@tidegate/contract/config/account'
import { loginConfig, PASSWORD_CLASSES, PASSWORD_LENGTH } from '@tidegate/contract/config/login'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { useTranslation } from 'react-i18next'
import { NumberMember, SelectMember, SwitchMember } from './fields.tsx'
import { useRecordForm } from './form.ts'
import { OidcPanel } from './OidcPanel.tsx'
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

const Login = ({ row }: { row: ConfigRow }) => {
  const { t } = useTranslation('settings')
  const form = useRecordForm(row, loginConfig, {})
  return (
    <RecordPanel form={form} title={t('loginRules')}>
      <SelectMember
        form={form}
        path="captcha"
        label={t('captcha')}
        hint={t('captchaHint')}
        options={[
          { value: 'after-failures', label: t('captchaAfter') },
          { value: 'always', label: t('captchaAlways') },
          { value: 'off', label: t('captchaOff') },
        ]}
      />
      <SelectMember
        form={form}
        path="adminSecondFactor"
        label={t('secondFactor')}
        options={[
          { value: 'optional', label: t('secondOptional') },
          { value: 'required', label: t('secondRequired') },
        ]}
      />
      <NumberMember
        form={form}
        path="password.minLength"
        label={t('passwordLength')}
        hint={t('passwordLengthHint', { ...PASSWORD_LENGTH })}
        min={PASSWORD_LENGTH.min}
      />
      <NumberMember
        form={form}
        path="password.classes"
        label={t('passwordClasses')}
        hint={t('passwordClassesHint', { max: PASSWORD_CLASSES })}
      />
    </RecordPanel>
  )
}

export const Page = () => {
  const { t } = useTranslation('settings')
  return (
    <RecordsPage paramClass="login" title={t('login')} sub={t('loginSub')}>
      {(recordOf) => (
        <>
          <Login row={recordOf('login_config')} />
          <Register row={recordOf('register_config')} />
          <OidcPanel row={recordOf('oidc_config')} />
        </>
      )}
    </RecordsPage>
  )
}
