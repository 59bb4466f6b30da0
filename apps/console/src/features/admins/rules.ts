/** Rules of names and passwords for antd's forms: those of the contract. */
import { type FieldErrorKey, fieldText } from '@tidegate/contract/errors'
import { accountName } from '@tidegate/contract/validators'
import { currentLang } from '../../shared/i18n.ts'
import { passwordRule } from '../../shared/password-rules.ts'

const formed = (schema: typeof accountName, key: FieldErrorKey) => ({
  validator: (_: unknown, value: string | undefined) =>
    !value || schema.safeParse(value).success
      ? Promise.resolve()
      : Promise.reject(new Error(fieldText(key, currentLang()))),
})

export const required = () => ({ required: true, message: fieldText('required', currentLang()) })
export const nameRules = () => [required(), formed(accountName, 'name_form')]
export const passwordRules = () => [required(), passwordRule]
