/** How DNS nodes treat the names of the blacklist. */
import { z } from 'zod'
import { blackLines } from '../black.ts'
import { fail, isIP, isIPv4 } from '../validators.ts'

/** What is answered: an error, "no such name", "nothing of this type", or addresses that are given. */
export const BLACK_ANSWERS = ['nxdomain', 'nodata', 'refused', 'address'] as const
export type BlackAnswer = (typeof BLACK_ANSWERS)[number]

export const BLACK_TTL = { min: 0, max: 86_400 } as const
export const MAX_BLACK_EXCEPTIONS = 1_000
export const MAX_BLACK_ADDRESSES = 8

/** Addresses, one a line, each once. */
const addresses = z
  .string()
  .max(1_000)
  .transform((text, ctx) => {
    const found: string[] = []
    for (const [i, each] of text.split(/\r?\n/).entries()) {
      const value = each.trim().toLowerCase()
      const params = { line: i + 1, first: found.indexOf(value) + 1, value }
      if (value === '') continue
      if (!isIP(value)) fail(ctx, 'line_ip', params)
      else if (found.includes(value)) fail(ctx, 'line_duplicate', params)
      else found.push(value)
    }
    if (found.length > MAX_BLACK_ADDRESSES) fail(ctx, 'too_many_items', { max: MAX_BLACK_ADDRESSES })
    return found.join('\n')
  })

const exceptions = blackLines(MAX_BLACK_EXCEPTIONS).transform((names) => names.map(({ name }) => name).join('\n'))

export const blackConfig = z
  .object({
    enabled: z.boolean().default(true),
    answer: z.enum(BLACK_ANSWERS).default('nxdomain'),
    /** With the answer `address`: IPv4 answers A, IPv6 answers AAAA; other types get "nothing of this type". */
    addresses: addresses.default(''),
    /** Seconds that an answer may be kept; REFUSED has none. */
    ttl: z
      .int({
        // The bounds have texts of their own.
        error: ({ code, input }) =>
          code !== 'invalid_type' ? undefined : input === undefined ? 'required' : 'invalid',
      })
      .min(BLACK_TTL.min)
      .max(BLACK_TTL.max)
      .default(60),
    /** Whether nodes log the queries that they block. */
    log: z.boolean().default(false),
    /** Names that are never blocked, with everything below them; one a line. */
    exceptions: exceptions.default(''),
  })
  .superRefine(({ answer, addresses: given }, ctx) => {
    if (answer === 'address' && given === '') fail(ctx, 'required', {}, ['addresses'])
  })
export type BlackConfig = z.output<typeof blackConfig>

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))
export const blackExceptions = (config: BlackConfig): string[] => linesOf(config.exceptions)
/** The addresses by family. */
export const blackAddresses = (config: BlackConfig): { v4: string[]; v6: string[] } => {
  const all = linesOf(config.addresses)
  return { v4: all.filter(isIPv4), v6: all.filter((one) => !isIPv4(one)) }
}
