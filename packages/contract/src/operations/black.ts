/**
 * The DNS blacklist: its entries, what decides on a name, and the list as DNS servers take it. How blocked names are answered is the config
 * record `dns_black` (contract/config/black). Scopes, lines and exceptions: contract/black.
 */
import { z } from 'zod'
import { BLACK_SCOPES, blackLines, readBlackName } from '../black.ts'
import { MAX_BLACK_LINES } from '../limits.ts'
import { id, ids, none, operation, pageIn, pageOut } from '../operation.ts'
import { fail } from '../validators.ts'

const scope = z.enum(BLACK_SCOPES)
const category = z.string().trim().max(32, { error: 'too_long' })
const remark = z.string().trim().max(255, { error: 'too_long' })

export const blackRow = z.object({
  id: z.int(),
  /** Punycode. */
  domain: z.string(),
  scope,
  enabled: z.boolean(),
  category: z.string(),
  remark: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
})
export type BlackRow = z.infer<typeof blackRow>

const filters = {
  /** What names begin with, or a name with all that is below it; `*.` before it means only the latter. */
  key: pageIn.shape.key,
  scope: scope.optional(),
  enabled: z.boolean().optional(),
  category: category.optional(),
}

/** One name to be looked up; `*.` has no meaning here. */
const askedName = z
  .string({ error: 'required' })
  .trim()
  .min(1, { error: 'required', abort: true })
  .max(300, { error: 'too_long' })
  .transform((text, ctx) => {
    const found = readBlackName(text)
    if (found === null || found.scope !== null) {
      fail(ctx, 'domain')
      return z.NEVER
    }
    return found.name
  })

const view = { audience: 'admin', permission: 'dns:black:config', effect: 'read' } as const
const save = { method: 'POST', audience: 'admin', permission: 'dns:black:config:save', effect: 'write' } as const
const remove = { ...save, permission: 'dns:black:config:delete' } as const
const count = z.object({ count: z.int() })

export const blackOperations = [
  operation({
    ...view,
    id: 'black.list',
    method: 'POST',
    path: 'sys/dns/black/domain/list',
    input: pageIn.extend(filters),
    output: pageOut(blackRow),
  }),
  operation({
    /**
     * Without `id`: adds the names of `domains`, one a line, all or none; a name that is there already is an error that names its line. With
     * `id`: changes that entry, whose one name `domains` is. `count`: entries added or changed.
     */
    ...save,
    id: 'black.save',
    path: 'sys/dns/black/domain/save',
    input: z
      .object({
        id: id.optional(),
        domains: blackLines(MAX_BLACK_LINES).refine((names) => names.length > 0, { error: 'required' }),
        scope: scope.default('tree'),
        enabled: z.boolean().default(true),
        category: category.default(''),
        remark: remark.default(''),
      })
      .superRefine(({ id: one, domains }, ctx) => {
        if (one !== undefined && domains.length > 1) fail(ctx, 'too_many_items', { max: 1 }, ['domains'])
      }),
    output: count,
  }),
  operation({
    ...save,
    id: 'black.enable',
    path: 'sys/dns/black/domain/enable',
    input: z.object({ ids, enabled: z.boolean() }),
    output: count,
  }),
  operation({
    ...remove,
    id: 'black.delete',
    path: 'sys/dns/black/domain/delete',
    input: z.object({ ids }),
    output: none,
  }),
  operation({
    /** Deletes everything that a list with these filters would show; without filters everything. */
    ...remove,
    id: 'black.clear',
    path: 'sys/dns/black/domain/clear',
    input: z.object(filters),
    output: count,
  }),
  operation({
    /**
     * multipart/form-data, the file last: a text of names or a hosts file. All or none; what is wrong is told with its line. `existing`: whether
     * names that are on the list, or in the file twice, are refused or skipped.
     */
    ...save,
    id: 'black.import',
    path: 'sys/dns/black/domain/import',
    body: 'stream',
    input: z.object({
      scope: scope.default('tree'),
      category: category.default(''),
      remark: remark.default(''),
      existing: z.enum(['refuse', 'skip']).default('refuse'),
      file: z.custom<AsyncIterable<Uint8Array>>(
        (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
        { error: 'required' },
      ),
    }),
    output: z.object({ added: z.int(), skipped: z.int() }),
  }),
  operation({
    /** The whole list as a text that can be imported: `*.` before names that are blocked with everything below them. Audited, so a write. */
    ...view,
    id: 'black.export',
    method: 'POST',
    path: 'sys/dns/black/domain/export',
    effect: 'write',
    kind: 'file',
    input: none,
    output: none,
  }),
  operation({
    /** Whether a name would be blocked, and what decides that. */
    ...view,
    id: 'black.check',
    method: 'GET',
    alsoMethods: ['POST'],
    path: 'sys/dns/black/domain/check',
    input: z.object({ domain: askedName }),
    output: z.object({
      data: z.object({
        domain: z.string(),
        /** Whether servers that have the present list and setting block it. */
        blocked: z.boolean(),
        /** '' = neither an entry nor an exception is about it. */
        by: z.enum(['', 'entry', 'exception']),
        /** Name of that entry or exception. */
        match: z.string(),
        /** The entry. */
        entry: blackRow.nullable(),
        /** Whether the blacklist is switched on. */
        enabled: z.boolean(),
      }),
    }),
  }),
  operation({
    ...view,
    id: 'black.state',
    method: 'GET',
    path: 'sys/dns/black/state',
    input: none,
    output: z.object({
      data: z.object({
        total: z.int(),
        /** Of them enabled. */
        active: z.int(),
        /** ISO time of the last change of the entries, empty = never. */
        changeTime: z.string(),
        /** Categories in use, at most a hundred. */
        categories: z.array(z.string()),
        /** Servers that have fetched the list in the last seven days, newest first. */
        readers: z.array(
          z.object({
            ip: z.string(),
            /** Account whose login or key it uses. */
            name: z.string(),
            time: z.string(),
            /** Whether it holds the present list. */
            current: z.boolean(),
          }),
        ),
      }),
    }),
  }),
  operation({
    /** The rules for dnsdist that make the list and the stored setting work; `file`: path of the list on that server. */
    ...view,
    id: 'black.rules',
    method: 'GET',
    path: 'sys/dns/black/setting/rules',
    input: z.object({
      file: z
        .string()
        .trim()
        .min(1, { error: 'required' })
        .max(255, { error: 'too_long' })
        .regex(/^\/[^\p{Cc}]*$/u, { error: 'invalid' })
        .default('/var/lib/dnsdist/tidegate-black.cdb'),
    }),
    output: z.object({ data: z.object({ file: z.string(), rules: z.string() }) }),
  }),
  operation({
    /** The enabled entries and the exceptions as a cdb file for dnsdist. `have`: SHA-256 of the file that the caller has; nothing is sent when it is this one. */
    ...view,
    id: 'black.compiled',
    method: 'GET',
    path: 'sys/dns/black/compiled',
    kind: 'file',
    input: z.object({
      have: z
        .string()
        .regex(/^(?:[0-9a-f]{64})?$/, { error: 'invalid' })
        .default(''),
    }),
    output: none,
  }),
]
