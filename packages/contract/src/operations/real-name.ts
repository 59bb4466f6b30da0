/** The identity API, tried from its settings screen. */
import { z } from 'zod'
import { IDENTITY_VERDICTS, identityConfig } from '../config/services.ts'
import { operation } from '../operation.ts'
import { idCard } from '../validators.ts'

export const realNameOperations = [
  operation({
    /** Compares a name with a number at once, by the settings given (a masked secret means the stored one), else by those stored. It costs what the provider asks. */
    id: 'realName.test',
    method: 'POST',
    path: 'sys/realname/test',
    audience: 'admin',
    permission: 'system:api:test',
    effect: 'write',
    input: z.object({
      realName: z.string().trim().min(2, { error: 'required' }).max(64),
      idCard,
      config: identityConfig.optional(),
    }),
    /** `answer`: the provider's own words, without secrets and without the number. */
    output: z.object({ data: z.object({ verdict: z.enum(IDENTITY_VERDICTS), answer: z.string() }) }),
  }),
]
