/** What the server says, in both languages. */
import { describe, expect, it } from 'vitest'
import { MAIL_PRESETS } from './config/mail.ts'
import { TEMPLATE_TITLES } from './config/notify.ts'
import { SMS_PROVIDERS } from './config/sms.ts'
import { LANGUAGES } from './enums.ts'
import { ERRORS, type ErrorKey, errorText, FIELD_ERRORS, type FieldErrorKey, fieldText } from './errors.ts'
import { SAMPLES } from './testing/samples.ts'
import { expectBoth } from './testing/words.ts'

describe('the texts of the server', () => {
  it.each(Object.entries(ERRORS))('error %s stands in both languages [S1.2]', (key, row) => {
    expectBoth(row)
    for (const lang of LANGUAGES) expect(errorText(key as ErrorKey, lang)).toBe(row[lang])
  })

  it.each(Object.entries(FIELD_ERRORS))(
    'what is wrong with a field, %s, stands in both languages [S1.2]',
    (key, row) => {
      // The names of the providers' own fields are the same in both.
      expectBoth(row, /^(?:API ADDR|API KEY|sdkAppId|secretId|secretKey) /)
      for (const lang of LANGUAGES) expect(fieldText(key as FieldErrorKey, lang)).toBe(row[lang])
    },
  )

  it.each([
    ...Object.entries(TEMPLATE_TITLES),
    ...SMS_PROVIDERS.map((one) => [one.type, one.name] as const),
    ...MAIL_PRESETS.map((one) => [one.id, one.name] as const),
    ...Object.entries(SAMPLES),
  ])('the name of %s stands in both languages [S1.2]', (_key, row) => {
    expectBoth(row)
  })
})
