/** Forms with a file, for operations that say so. */
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import { MAX_UPLOAD_BYTES } from '@tidegate/contract/uploads'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'

/** The file one byte larger than the largest purpose takes, so that its own limit can say what is too much. */
const LIMITS = {
  fileSize: MAX_UPLOAD_BYTES + 1,
  files: 1,
  fields: 8,
  parts: 9,
  fieldNameSize: 64,
  fieldSize: 1024,
  headerPairs: 20,
}

/** The largest file with its fields and their heads. */
const MAX_FORM_BYTES = 2 * MAX_UPLOAD_BYTES

export const addForms = async (app: FastifyInstance): Promise<void> => {
  await app.register(multipart, { limits: LIMITS, throwFileSizeLimit: false })
}

export const isForm = (request: FastifyRequest): boolean => request.isMultipart()

/** All parts by name: texts as they are, the file as bytes. Throws `malformed_upload`, `too_large`. */
export const formObject = async (request: FastifyRequest): Promise<Record<string, unknown>> => {
  if (Number(request.headers['content-length']) > MAX_FORM_BYTES) throw new AppError('too_large')
  const fields: Record<string, unknown> = {}
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') fields[part.fieldname] = new Uint8Array(await part.toBuffer())
      else fields[part.fieldname] = part.value
    }
  } catch (cause) {
    // The parser's own refusals have a code; what has none is a form that does not come to its end.
    if (cause instanceof Error && 'code' in cause) throw cause
    throw new AppError('malformed_upload', { cause })
  }
  return fields
}

/** A form whose file, the last part, is handed on unread; `file` is absent when the form has none. Throws `malformed_upload`. */
export const streamedForm = async (
  request: FastifyRequest,
): Promise<{ fields: Record<string, unknown>; file?: Readable }> => {
  const fields: Record<string, unknown> = {}
  try {
    // Not for-await: leaving it would end the form, and the file with it.
    const parts = request.parts({ limits: { ...LIMITS, fileSize: Number.POSITIVE_INFINITY } })[Symbol.asyncIterator]()
    for (;;) {
      const { value: part, done } = await parts.next()
      if (done || part === undefined) break
      if (part.type === 'file') return { fields: { ...fields, [part.fieldname]: part.file }, file: part.file }
      fields[part.fieldname] = part.value
    }
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) throw cause
    throw new AppError('malformed_upload', { cause })
  }
  return { fields }
}
