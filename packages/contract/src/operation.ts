/** The form of one row of the operations table. Server, typed client, OpenAPI, permission list and generated tests derive from the rows. */
import { z } from 'zod'
import type { Feature } from './features.ts'
import { COUNT_CAP, DEFAULT_PAGE_SIZE, PAGE_SIZES } from './limits.ts'

/** `monitor`: programs that bring results of probes, with the monitoring token in place of a login's. */
export type Audience = 'public' | 'admin' | 'user' | 'any' | 'monitor'
/** How the answer travels: an envelope, an image, newline-delimited JSON whose lines are `output`, or a file to be saved. */
export type Kind = 'json' | 'image' | 'stream' | 'file'

export interface Operation<
  Id extends string = string,
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
> {
  id: Id
  method: 'GET' | 'POST'
  /** Below the API base, letter by letter; `{name}` are path parameters and members of `input`. */
  path: string
  /** Further paths that mean the same. */
  aliases?: readonly string[]
  /** Methods accepted beside `method`. */
  alsoMethods?: readonly ('GET' | 'POST')[]
  audience: Audience
  /** Permission value that a role must hold; 'login' = any login of the audience; null only for `public` and `monitor`. */
  permission: string | null
  /** Features that must be on in the installation; else the operation is refused, whoever calls. */
  features?: readonly Feature[]
  effect: 'read' | 'write'
  /** A write of any login that an API key may do too: the handler asks for the permission that it needs. */
  byKey?: boolean
  /** Passwords, keys, money: for the account's owner alone, never for who acts in the owner's place. */
  ownOnly?: boolean
  kind: Kind
  /** How the input travels: JSON unless it carries a file; `stream`: a form whose file, its last part, is not held in memory. */
  body?: 'multipart' | 'stream'
  /** Path, query and body parameters in one flat object. */
  input: I
  /** Members of the envelope beside code and msg. */
  output: O
}

/** Declares a row; keeps its id and the schemas as types. */
export const operation = <const Id extends string, I extends z.ZodType, O extends z.ZodType>(
  row: Omit<Operation<Id, I, O>, 'kind'> & { kind?: Kind },
): Operation<Id, I, O> => ({ kind: 'json', ...row })

export const none = z.object({})
/** A whole number that may come as text (query, path); its bounds have texts of their own. */
export const int = z.coerce
  .number({ error: ({ code }) => (code === 'invalid_type' ? 'invalid' : undefined) })
  .int({ error: 'invalid' })
export const id = int.min(1)
export const ids = z.array(id).min(1, { error: 'required' }).max(200)
export const idIn = z.object({ id })
export const idOut = z.object({ id: z.int() })

/** Parameters that every list takes. `page` counts from 1. */
export const pageIn = z.object({
  page: int.min(1).default(1),
  limit: int
    .refine((n) => (PAGE_SIZES as readonly number[]).includes(n), {
      message: 'not_one_of',
      params: { values: PAGE_SIZES.join(', ') },
    })
    .default(DEFAULT_PAGE_SIZE),
  sidx: z.string().max(40).optional(),
  order: z.enum(['asc', 'desc']).optional(),
  key: z.string().max(255).optional(),
})
/** Answer of every list. `totalCount` stops at COUNT_CAP. */
export const pageOut = <T extends z.ZodType>(row: T) =>
  z.object({
    data: z.object({
      list: z.array(row),
      totalCount: z.int().max(COUNT_CAP),
      pageSize: z.int(),
      currPage: z.int(),
      totalPage: z.int(),
    }),
  })
