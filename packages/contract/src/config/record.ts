/** What all config records share: the form of a key, the mask of a secret. */
import { z } from 'zod'

/** Stands for a secret that is set; saved again, it means "unchanged". */
export const SECRET_MASK = '********'

/** Characters of a value as JSON text. */
export const MAX_PARAM_VALUE = 262_144
/** Records that administrators made themselves. */
export const MAX_OWN_RECORDS = 200
/** Versions of a record that are kept. */
export const MAX_RECORD_VERSIONS = 100
/** Records of this and higher ids were made by administrators. */
export const FIRST_OWN_RECORD_ID = 1000

export const paramKey = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{1,63}$/, { error: 'param_key' })

/** An empty text, or one that fits. */
export const orEmpty = <T extends z.ZodType>(schema: T) => z.union([z.literal(''), schema])

/** A web address without user, query or fragment: the root of another service. */
export const rootAddress = z
  .string()
  .trim()
  .max(500)
  .regex(/^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/, { error: 'web_address' })
  .transform((text) => text.replace(/\/+$/, ''))
