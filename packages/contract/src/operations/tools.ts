/** Tools of operators: what a node holds in its shared memory, runtime variables, lookups. */
import { z } from 'zod'
import { NODE_STATES } from '../enums.ts'
import { MAX_MEMORY_ENTRIES, memoryEntry, NODE_DICTS } from '../node/questions.ts'
import { id, int, none, operation } from '../operation.ts'

/** A node that may be asked: only one that is online answers. */
const toolNode = z.object({ id: z.int(), name: z.string(), groupName: z.string(), state: z.enum(NODE_STATES) })
export type ToolNode = z.infer<typeof toolNode>
const nodesOut = z.object({ data: z.array(toolNode) })

/** What a page of memory gave for going on or for opening an entry. */
const word = z
  .string()
  .max(4_096)
  .regex(/^[\w-]*$/, { error: 'invalid' })
  .default('')

export const toolOperations = [
  operation({
    id: 'tools.memoryNodes',
    method: 'GET',
    path: 'sys/cdnsys/admin/tool/redis/nodes',
    audience: 'admin',
    permission: 'cdn:tools:memory',
    effect: 'read',
    input: none,
    output: nodesOut,
  }),
  operation({
    /**
     * Reads what a node holds in its shared memory: a page of entries, or with `entry` one with its whole value. Private keys are never
     * given, members that look like secrets are masked. Changes nothing on the node; counts as a write because it is recorded who looked.
     */
    id: 'tools.memory',
    method: 'POST',
    path: 'sys/cdnsys/admin/tool/redis/data',
    audience: 'admin',
    permission: 'cdn:tools:memory',
    effect: 'write',
    input: z.object({
      nodeId: id,
      dict: z.enum(NODE_DICTS),
      prefix: z.string().max(512).default(''),
      /** `next` of the page before. */
      after: word,
      limit: int.min(1).max(MAX_MEMORY_ENTRIES).default(50),
      /** `id` of an entry. */
      entry: word,
    }),
    output: z.object({
      data: z.object({
        list: z.array(memoryEntry),
        /** '' = there are no more. */
        next: z.string(),
        /** Bytes of the part of memory that was looked into. */
        capacity: z.int(),
        free: z.int(),
      }),
    }),
  }),
] as const
