/** Config record `oidc`: administrators log in at an OpenID provider of the operator's. */
import { z } from 'zod'
import { fail } from '../validators.ts'

const fields = z.object({
  enabled: z.boolean().default(false),
  /** Root of the provider; https, or http at a loopback address. */
  issuer: z.string().max(500).default(''),
  clientId: z.string().max(255).default(''),
  clientSecret: z.string().max(500).default(''),
  /** What the button of the login says. */
  name: z.string().max(40).default('OpenID'),
  /** Role of accounts that are made at their first login; null: only accounts that were linked come in. */
  autoCreateRole: z.int().nullable().default(null),
  /** Only who has this claim with this value (or has it in a list) comes in; empty: everybody of the provider. */
  claim: z.string().max(100).default(''),
  claimValue: z.string().max(255).default(''),
})

export const oidcConfig = fields.superRefine((value, ctx) => {
  if (!value.enabled) return
  for (const name of ['issuer', 'clientId'] as const) if (value[name] === '') fail(ctx, 'required', {}, [name])
})
export type OidcConfig = z.output<typeof oidcConfig>

/** Members that are stored sealed and read back masked. */
export const OIDC_SECRETS = ['clientSecret'] as const
