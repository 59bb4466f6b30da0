/** Tools of operators: what a node holds in its shared memory, runtime variables, lookups. */
import { z } from 'zod'
import { NODE_STATES } from '../enums.ts'
import { dnsServer, probeUrl, queryName } from '../lookups.ts'
import { DNS_TYPES, dig, PROBE_METHODS, PROBE_WAYS, probe } from '../node/lookups.ts'
import { MAX_MEMORY_ENTRIES, memoryEntry, NODE_DICTS } from '../node/questions.ts'
import { id, int, none, operation, pageIn, pageOut } from '../operation.ts'
import { VARIABLE_KEYS, VARIABLE_SCOPES, VARIABLE_UNITS, valueFault, variableKind } from '../runtime-variables.ts'
import { fail } from '../validators.ts'
import { pushRef } from './site.ts'

const words = z.object({ zh: z.string(), en: z.string() })

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

const value = z.union([z.string().max(255), z.number(), z.boolean()], { error: 'invalid' })
const variableKey = z.enum(VARIABLE_KEYS)

const variableRow = z.object({
  key: variableKey,
  scope: z.enum(VARIABLE_SCOPES),
  title: words,
  about: words,
  type: z.enum(['number', 'boolean', 'choice', 'url']),
  unit: z.enum(VARIABLE_UNITS),
  /** Of numbers. */
  min: z.number().nullable(),
  max: z.number().nullable(),
  choices: z.array(z.string()),
  value,
  default: value,
  /** Whether it has another value than its default. */
  set: z.boolean(),
  /** ISO time of the last change; '' = never changed. */
  changedTime: z.string(),
  changedBy: z.string(),
  /** Of the nodes that the last change went to, how many run it; null: nothing of it went to nodes. */
  applied: z.object({ nodes: z.int(), done: z.int() }).nullable(),
  push: z.array(pushRef),
})
export type VariableRow = z.infer<typeof variableRow>

const variableChange = z.object({
  id: z.int(),
  key: variableKey,
  title: words,
  before: value,
  after: value,
  unit: z.enum(VARIABLE_UNITS),
  /** It went back to its default. */
  reset: z.boolean(),
  by: z.string(),
  time: z.string(),
})
export type VariableChange = z.infer<typeof variableChange>

const looksUp = { audience: 'admin', permission: 'cdn:tools:lookup' } as const
const seesVariables = { audience: 'admin', permission: 'cdn:tools:variable', effect: 'read' } as const

export const toolOperations = [
  operation({
    ...seesVariables,
    id: 'variable.list',
    method: 'GET',
    path: 'sys/cdnsys/auth/static/variable/list',
    input: none,
    /** `mayChange`: whether the caller may. */
    output: z.object({ data: z.object({ list: z.array(variableRow), mayChange: z.boolean() }) }),
  }),
  operation({
    ...seesVariables,
    id: 'variable.history',
    method: 'POST',
    path: 'sys/cdnsys/auth/static/variable/history',
    input: pageIn.extend({ variable: variableKey.optional() }),
    output: pageOut(variableChange),
  }),
  operation({
    /** The super administrator's: gives a variable a value, or with `reset` its default back. It holds at once; nodes get it as a push. */
    id: 'variable.update',
    method: 'POST',
    path: 'sys/cdnsys/auth/update/static/variable',
    audience: 'admin',
    permission: 'cdn:tools:variable',
    effect: 'write',
    ownOnly: true,
    input: z
      .object({ key: variableKey, value: value.optional(), reset: z.boolean().default(false) })
      .superRefine((given, ctx) => {
        if (given.reset) return
        if (given.value === undefined) return fail(ctx, 'required', {}, ['value'])
        const fault = valueFault(variableKind(given.key), given.value)
        if (fault) fail(ctx, fault.key, fault.params, ['value'])
      }),
    output: z.object({ data: variableRow }),
  }),
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
  operation({
    ...looksUp,
    id: 'tools.lookupNodes',
    method: 'GET',
    path: 'sys/cdnsys/admin/tool/lookup/nodes',
    effect: 'read',
    input: none,
    output: nodesOut,
  }),
  operation({
    /**
     * Asks DNS from a node. A name server at a private address is asked only where the node's group allows it. Counts as a write because it
     * is recorded who asked what.
     */
    ...looksUp,
    id: 'tools.dig',
    method: 'POST',
    path: 'sys/cdnsys/admin/tool/dns/dig',
    effect: 'write',
    input: z.object({
      nodeId: id,
      name: queryName,
      type: z.enum(DNS_TYPES).default('A'),
      server: dnsServer.default(''),
    }),
    output: z.object({ data: dig.answer }),
  }),
  operation({
    /**
     * Sends one request from a node, to the net or to the node's own edge; follows no redirect. Private addresses are reached only where the
     * node's group allows them as origins. Recorded like `tools.dig`.
     */
    ...looksUp,
    id: 'tools.probe',
    method: 'POST',
    path: 'sys/cdnsys/admin/tool/http/probe',
    effect: 'write',
    input: z.object({
      nodeId: id,
      url: probeUrl,
      method: z.enum(PROBE_METHODS).default('GET'),
      way: z.enum(PROBE_WAYS).default('net'),
    }),
    output: z.object({ data: probe.answer }),
  }),
] as const
