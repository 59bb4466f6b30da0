/** Customers' accounts: who may register, what must be verified, and what verification costs (specification, section 6). */
import { z } from 'zod'

/** Record `register`: who can make an account, and what it is bound to. */
export const registerConfig = z.object({
  closed: z.boolean().default(false),
  byMail: z.boolean().default(false),
  byMobile: z.boolean().default(false),
})
export type RegisterConfig = z.output<typeof registerConfig>

/** Cents; 1,000 yuan. */
export const MAX_VERIFY_PRICE = 100_000

/** Record `verify`: what is asked for before plans are bought and domains or forwardings are added. */
export const verifyConfig = z.object({
  forceRealName: z.boolean().default(false),
  forcePhone: z.boolean().default(false),
  /** Cents for one verification of a real name; 0 = free. */
  realNamePrice: z.int().min(0).max(MAX_VERIFY_PRICE).default(0),
})
export type VerifyConfig = z.output<typeof verifyConfig>
