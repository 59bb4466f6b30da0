/** Uploads of images. The body is multipart/form-data: `purpose`, then `file`. */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { PURPOSES } from '../uploads.ts'

export const uploadOperations = [
  operation({
    id: 'upload.save',
    method: 'POST',
    path: 'sys/oss/upload',
    audience: 'any',
    permission: 'login',
    effect: 'write',
    body: 'multipart',
    input: z.object({
      purpose: z.enum(PURPOSES),
      file: z.custom<Uint8Array>((value) => value instanceof Uint8Array && value.length > 0, { error: 'required' }),
    }),
    /** `url`: path on this server. */
    output: z.object({ url: z.string(), type: z.string(), size: z.int() }),
  }),
]
