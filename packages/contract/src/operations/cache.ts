/** Cache cleanup. */
import { z } from 'zod'
import { PURGE_STATES } from '../enums.ts'
import { PURGE_MAX_ENTRIES } from '../limits.ts'
import { PURGE_KINDS } from '../node/config.ts'
import { idIn, idOut, operation, pageIn, pageOut } from '../operation.ts'
import { fail, parsePurgeEntry } from '../validators.ts'

export const purgeIn = z
  .object({
    kind: z.enum(PURGE_KINDS),
    entries: z.array(z.string().max(4096)).min(1, { error: 'required' }).max(200),
  })
  .superRefine(({ kind, entries }, ctx) => {
    if (entries.length > PURGE_MAX_ENTRIES[kind])
      fail(ctx, 'too_many_items', { max: PURGE_MAX_ENTRIES[kind] }, ['entries'])
    const seen = new Set<string>()
    entries.forEach((entry, i) => {
      const parsed = parsePurgeEntry(kind, entry)
      if (typeof parsed === 'string') {
        fail(ctx, parsed, {}, ['entries', i])
        return
      }
      const same = parsed.host + parsed.path
      if (seen.has(same)) fail(ctx, 'duplicate', { value: entry.trim() }, ['entries', i])
      seen.add(same)
    })
  })

const purgeRow = z.object({
  id: z.int(),
  kind: z.enum(PURGE_KINDS),
  entries: z.array(z.string()),
  state: z.enum(PURGE_STATES),
  nodes: z.int(),
  nodesDone: z.int(),
  createTime: z.string(),
  /** Milliseconds until the last node had it; -1 = not yet. */
  totalMs: z.number(),
  by: z.string(),
})

export const purgeNode = z.object({
  nodeId: z.int(),
  nodeName: z.string(),
  state: z.enum(PURGE_STATES),
  error: z.string(),
  time: z.string(),
  ms: z.number(),
})

export const cacheOperations = [
  operation({
    id: 'cache.purge',
    method: 'POST',
    path: 'sys/cdn/cache/purge',
    audience: 'any',
    permission: 'cdn:cache:purge',
    effect: 'write',
    input: purgeIn,
    output: idOut,
  }),
  operation({
    id: 'cache.task',
    method: 'GET',
    path: 'sys/cdn/cache/task/{id}',
    audience: 'any',
    permission: 'cdn:cache:list',
    effect: 'read',
    input: idIn,
    output: z.object({ data: purgeRow.extend({ feedback: z.array(purgeNode) }) }),
  }),
  operation({
    id: 'cache.list',
    method: 'POST',
    path: 'sys/cdn/cache/list',
    audience: 'any',
    permission: 'cdn:cache:list',
    effect: 'read',
    input: pageIn.extend({ kind: z.enum(PURGE_KINDS).optional() }),
    output: pageOut(purgeRow),
  }),
]
