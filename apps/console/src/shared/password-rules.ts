/** What a new password must have: the specification's form, and what the installation asks for beyond it. */
import { fitsPolicy, PASSWORD_LENGTH } from '@tidegate/contract/config/login'
import { fieldText } from '@tidegate/contract/errors'
import { password } from '@tidegate/contract/validators'
import { useTranslation } from 'react-i18next'
import { currentLang } from './i18n.ts'
import { useSite } from './site-config.ts'

/** What is wrong with it, in the person's language; '': nothing. */
export const passwordFault = (value: string): string => {
  const policy = useSite.getState().index?.passwordPolicy
  if (!password.safeParse(value).success) return fieldText('password_form', currentLang())
  if (policy === undefined || fitsPolicy(value, policy)) return ''
  return fieldText('password_policy', currentLang(), { min: policy.minLength, classes: policy.classes })
}

/** For antd's forms; an empty field is the business of `required`. */
export const passwordRule = {
  validator: (_: unknown, value: string | undefined) => {
    const fault = value ? passwordFault(value) : ''
    return fault === '' ? Promise.resolve() : Promise.reject(new Error(fault))
  },
}

/** Stands below the field. */
export const usePasswordHint = (): string => {
  const { t } = useTranslation('shared')
  const policy = useSite((s) => s.index?.passwordPolicy)
  const { minLength: min, classes } = policy ?? { minLength: PASSWORD_LENGTH.min, classes: 1 }
  return classes > 1 ? t('passwordHintKinds', { min, classes }) : t('passwordHint', { min })
}
