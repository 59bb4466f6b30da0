/** A whole list as a CSV file, made by a job of the server. A customer's holds only the customer's own rows. */
import { z } from 'zod'
import { EXPORT_STATES } from '../enums.ts'
import { idIn, idOut, none, operation, pageIn, pageOut } from '../operation.ts'

export const exportRow = z.object({
  id: z.int(),
  /** Id of the list's operation. */
  list: z.string(),
  state: z.enum(EXPORT_STATES),
  /** Rows written so far. */
  rows: z.int(),
  /** Bytes of the finished file. */
  bytes: z.int(),
  /** Whether the list was longer than a file may be. */
  cut: z.boolean(),
  /** Why it failed, in the caller's language; '' when it did not. */
  error: z.string(),
  createTime: z.string(),
  /** When the file is removed. */
  expires: z.string(),
})
export type ExportRow = z.infer<typeof exportRow>

export const exportOperations = [
  operation({
    /**
     * `query` is the list's own input without page and size; `columns` are keys of the export's columns, in the order wanted (absent: all).
     * Needs the permission of the list.
     */
    id: 'export.start',
    method: 'POST',
    path: 'sys/export/start',
    aliases: ['app/export/start'],
    audience: 'any',
    permission: 'login',
    effect: 'write',
    byKey: true,
    input: z.object({
      list: z.string().max(64),
      query: z.record(z.string().max(64), z.unknown()).default({}),
      columns: z.array(z.string().max(64)).min(1, { error: 'required' }).max(100).optional(),
    }),
    output: idOut,
  }),
  operation({
    id: 'export.info',
    method: 'GET',
    path: 'sys/export/info/{id}',
    aliases: ['app/export/info/{id}'],
    audience: 'any',
    permission: 'login',
    effect: 'read',
    input: idIn,
    output: z.object({ data: exportRow }),
  }),
  operation({
    /** The caller's own exports, newest first. */
    id: 'export.list',
    method: 'POST',
    path: 'sys/export/list',
    aliases: ['app/export/list'],
    audience: 'any',
    permission: 'login',
    effect: 'read',
    input: pageIn,
    output: pageOut(exportRow),
  }),
  operation({
    /** The file. A write, because data that leaves is audited; the list's permission is asked for once more. */
    id: 'export.download',
    method: 'POST',
    path: 'sys/export/download/{id}',
    aliases: ['app/export/download/{id}'],
    audience: 'any',
    permission: 'login',
    effect: 'write',
    byKey: true,
    kind: 'file',
    input: idIn,
    output: none,
  }),
]
