/** Rules for antd's forms from the contract's own schemas, so that a field says what the server would. */
import { fieldErrors } from '@tidegate/contract/issues'
import type { z } from 'zod'
import { currentLang } from './i18n.ts'

/** What a schema says to a value, in the person's language; '': nothing. */
export const faultOf = (schema: z.ZodType, value: unknown): string => {
  const parsed = schema.safeParse(value, { reportInput: true })
  return parsed.success ? '' : (fieldErrors(parsed.error, currentLang())[0]?.msg ?? '')
}

/** An empty field is judged too. */
export const schemaRule = (schema: z.ZodType) => ({
  validator: (_: unknown, value: unknown) => {
    const fault = faultOf(schema, value ?? '')
    return fault === '' ? Promise.resolve() : Promise.reject(new Error(fault))
  },
})
