/** Config records: generic on the wire, each known value checked by its own schema. Which records a caller may see or change is decided for each by its screen's permission. */
import { z } from 'zod'
import { MAX_PARAM_VALUE, paramKey } from '../config/record.ts'
import { id, idIn, idOut, ids, int, none, operation, pageIn, pageOut } from '../operation.ts'
import { fail } from '../validators.ts'

const status = int.min(0).max(1)

export const configRow = z.object({
  id: z.int(),
  paramKey: z.string(),
  remark: z.string(),
  /** JSON; secrets that are set are masked. `null`: not set yet. */
  paramValue: z.string(),
  /** 1 enabled, 0 disabled. */
  status: z.int(),
  weight: z.int(),
  /** Counts changes; 0 = never changed. */
  version: z.int(),
  /** ISO time, empty = never. */
  updateTime: z.string(),
  updateBy: z.string(),
  /** Screen that edits it; `own` for records made by administrators. */
  paramClass: z.string(),
  /** Whether it can be enabled and disabled. */
  switchable: z.boolean(),
  /** Paths of secrets, e.g. `password`. */
  secrets: z.array(z.string()),
  /** Whether the caller may change it. */
  editable: z.boolean(),
})
export type ConfigRow = z.infer<typeof configRow>

const paramValue = z
  .string()
  .max(MAX_PARAM_VALUE)
  .superRefine((text, ctx) => {
    try {
      JSON.parse(text)
    } catch {
      fail(ctx, 'json')
    }
  })
const remark = z.string().trim().max(255)
const dataOut = z.object({ data: configRow })

/** One field of a version that differs from the version before. */
export const configChange = z.object({
  /** Dotted path, empty for the whole. */
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Its texts are masked. */
  secret: z.boolean(),
})
export const configVersion = z.object({
  version: z.int(),
  time: z.string(),
  by: z.string(),
  status: z.int(),
  remark: z.string(),
  current: z.boolean(),
  changes: z.array(configChange),
})
export type ConfigVersion = z.infer<typeof configVersion>

const mine = { audience: 'admin', permission: 'login' } as const

export const configOperations = [
  operation({
    ...mine,
    id: 'config.list',
    method: 'GET',
    alsoMethods: ['POST'],
    path: 'sys/config/list',
    effect: 'read',
    input: pageIn.extend({ paramClass: z.string().max(32).optional(), status: status.optional() }),
    output: pageOut(configRow),
  }),
  operation({
    ...mine,
    id: 'config.info',
    method: 'GET',
    path: 'sys/config/info/{id}',
    effect: 'read',
    input: idIn,
    output: dataOut,
  }),
  operation({
    ...mine,
    id: 'config.info2',
    method: 'GET',
    path: 'sys/config/info2/{key}',
    effect: 'read',
    input: z.object({ key: paramKey }),
    output: dataOut,
  }),
  operation({
    ...mine,
    id: 'config.kinfo',
    method: 'GET',
    path: 'sys/config/kinfo',
    effect: 'read',
    input: z.object({ key: paramKey }),
    output: dataOut,
  }),
  operation({
    /** Switches a record over; `status` says to what, for who wants to be sure. */
    ...mine,
    id: 'config.toggle',
    method: 'GET',
    alsoMethods: ['POST'],
    path: 'sys/config/update/status/{id}',
    effect: 'write',
    input: z.object({ id, status: status.optional() }),
    output: z.object({ status: z.int() }),
  }),
  operation({
    /** Enables or disables a record by its key. Of records that exclude each other (SMS providers) the others are disabled with it. */
    ...mine,
    id: 'config.setStatus',
    method: 'GET',
    alsoMethods: ['POST'],
    path: 'sys/config/update/conf/status',
    effect: 'write',
    input: z.object({ key: paramKey, status }),
    output: z.object({ status: z.int() }),
  }),
  operation({
    /** The classes that records stand in, with their keys. */
    ...mine,
    id: 'config.classes',
    method: 'GET',
    path: 'sys/config/getParamClass',
    effect: 'read',
    input: none,
    output: z.object({
      data: z.array(
        z.object({
          paramClass: z.string(),
          records: z.array(z.object({ id: z.int(), paramKey: z.string(), remark: z.string(), status: z.int() })),
        }),
      ),
    }),
  }),
  operation({
    /** Every value that the caller may see, by key; secrets masked. */
    ...mine,
    id: 'config.view',
    method: 'GET',
    path: 'sys/config/ants/conf/view',
    effect: 'read',
    input: none,
    output: z.object({ data: z.record(z.string(), z.unknown()) }),
  }),
  operation({
    /** Sets a known record by its key, or makes a record of one's own (super administrator). */
    ...mine,
    id: 'config.save',
    method: 'POST',
    path: 'sys/config/save',
    effect: 'write',
    input: z.object({
      paramKey,
      paramValue,
      remark: remark.optional(),
      status: status.optional(),
      weight: int.min(0).max(9999).optional(),
    }),
    output: idOut.extend({ version: z.int() }),
  }),
  operation({
    /** `version`: the one that was read; another in between is refused. */
    ...mine,
    id: 'config.update',
    method: 'POST',
    path: 'sys/config/update',
    effect: 'write',
    input: z.object({
      id,
      paramKey: paramKey.optional(),
      remark: remark.optional(),
      paramValue,
      status: status.optional(),
      weight: int.min(0).max(9999).optional(),
      version: int.min(0).optional(),
    }),
    output: idOut.extend({ version: z.int() }),
  }),
  operation({
    /** Records that administrators made. */
    ...mine,
    id: 'config.delete',
    method: 'POST',
    path: 'sys/config/delete',
    effect: 'write',
    input: z.object({ ids }),
    output: none,
  }),
  operation({
    ...mine,
    id: 'config.history',
    method: 'POST',
    path: 'sys/config/history',
    effect: 'read',
    input: z.object({ id, page: pageIn.shape.page, limit: pageIn.shape.limit }),
    output: pageOut(configVersion),
  }),
  operation({
    /** Makes an earlier version the present one, as a new version. */
    ...mine,
    id: 'config.restore',
    method: 'POST',
    path: 'sys/config/restore',
    effect: 'write',
    input: z.object({ id, version: int.min(1) }),
    output: idOut.extend({ version: z.int() }),
  }),
]
