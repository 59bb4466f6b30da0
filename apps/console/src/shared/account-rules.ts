/** Rules of accounts for antd's forms: the contract's own schemas. */
import { type FieldErrorKey, fieldText } from '@tidegate/contract/errors'
import { accountName, mailAddress, phone } from '@tidegate/contract/validators'
import { currentLang } from './i18n.ts'
import { passwordRule } from './password-rules.ts'

const formed = (schema: { safeParse: (text: string) => { success: boolean } }, key: FieldErrorKey) => ({
  validator: (_: unknown, value: string | undefined) =>
    !value || schema.safeParse(value).success
      ? Promise.resolve()
      : Promise.reject(new Error(fieldText(key, currentLang()))),
})

export const required = () => ({ required: true, message: fieldText('required', currentLang()) })
export const nameRules = () => [required(), formed(accountName, 'name_form')]
export const passwordRules = () => [required(), passwordRule]
export const phoneRules = () => [formed(phone, 'phone')]
export const mailRules = () => [formed(mailAddress, 'email')]
