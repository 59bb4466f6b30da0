/** Reads request bodies with bounds, gunzips them with bounds, and checks them against their schema. */
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { z } from 'zod'
import { AppError } from '../platform/errors.ts'

const inflate = promisify(gunzip)

/** Parsed JSON of the request. `maxBytes` holds for what travels and for what it unpacks to. Throws too_large, malformed_json, invalid_input. */
export const readBody = async <T extends z.ZodType>(
  request: IncomingMessage,
  schema: T,
  maxBytes: number,
): Promise<z.output<T>> => {
  const raw = await collect(request, maxBytes)
  const packed = request.headers['content-encoding'] === 'gzip'
  const text = packed ? await unpack(raw, maxBytes) : raw
  let value: unknown
  try {
    value = JSON.parse(text.toString('utf8'))
  } catch {
    throw new AppError('malformed_json')
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const fields = parsed.error.issues.map((i) => ({ path: i.path.join('.'), key: 'invalid' as const }))
    throw new AppError('invalid_input', { fields })
  }
  return parsed.data
}

const collect = async (request: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new AppError('too_large')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new AppError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const unpack = async (raw: Buffer, maxBytes: number): Promise<Buffer> => {
  try {
    return await inflate(raw, { maxOutputLength: maxBytes })
  } catch (error) {
    const code = (error as { code?: string }).code
    throw new AppError(code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'malformed_json')
  }
}
