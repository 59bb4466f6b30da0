/** What an installation's mode consists of, apart from features.ts so that the console's frame does not carry zod. */
import { z } from 'zod'

const flag = z.int().min(0)
export const modeFlags = z.object({
  '176': flag.default(1),
  '179': flag.default(1),
  tw: flag.default(0),
  /** Permissions that this mode leaves out: nobody holds them, not even a super administrator. */
  permissions: z.array(z.string().max(64)).max(500).default([]),
})
