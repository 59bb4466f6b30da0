/** Errors -> the envelope of the contract. */
import type { Lang } from '@tidegate/contract/enums'
import { ERRORS, type ErrorKey, errorText, fieldText } from '@tidegate/contract/errors'
import type { FieldError } from '@tidegate/contract/issues'
import { AppError } from '../platform/errors.ts'

export interface Failure {
  status: number
  body: {
    code: number
    error: ErrorKey
    msg: string
    errors?: FieldError[]
    requestId: string
    [extra: string]: unknown
  }
  /** Not the caller's fault: it belongs into the log with its cause. */
  unexpected: boolean
}

/** Errors of Fastify and PostgreSQL that are the caller's doing, by their codes. */
const BY_CODE: Record<string, ErrorKey> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'malformed_json',
  FST_REQ_FILE_TOO_LARGE: 'too_large',
  FST_PARTS_LIMIT: 'too_large',
  FST_FILES_LIMIT: 'too_large',
  FST_FIELDS_LIMIT: 'too_large',
  FST_PROTO_VIOLATION: 'malformed_upload',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'malformed_upload',
  FST_MP_PREMATURE_CLOSE: 'malformed_upload',
  FST_ERR_BAD_URL: 'operation_unknown',
  // A number that no row can have (numeric_value_out_of_range).
  '22003': 'invalid_input',
  // Two writers met: serialization_failure, deadlock_detected.
  '40001': 'conflict',
  '40P01': 'conflict',
  // disk_full, too_many_connections, admin_shutdown, crash_shutdown, cannot_connect_now, read_only_sql_transaction
  '53100': 'low_disk',
  '53300': 'unavailable',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '25006': 'unavailable',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
}

const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  // drizzle wraps the driver's error.
  return 'cause' in error ? codeOf(error.cause) : undefined
}

/** What the driver says, without a code, of a connection that broke before or during a query. */
const CONNECTION_LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

const asAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  const key = BY_CODE[codeOf(error) ?? '']
  if (key) return new AppError(key, { cause: error })
  if (error instanceof Error && CONNECTION_LOST.test(rootMessage(error)))
    return new AppError('unavailable', { cause: error })
  return new AppError('internal', { cause: error })
}

const rootMessage = (error: Error): string => (error.cause instanceof Error ? rootMessage(error.cause) : error.message)

/** `fields`: field errors that a schema found. */
export const failureOf = (error: unknown, lang: Lang, requestId: string, fields: FieldError[] = []): Failure => {
  const app = asAppError(error)
  const status = ERRORS[app.key].status
  const own = (app.details.fields ?? []).map((f) => ({ path: f.path, msg: fieldText(f.key, lang, f.params) }))
  const errors = [...fields, ...own, ...(app.details.worded ?? [])]
  return {
    status,
    body: {
      ...app.details.extra,
      code: status,
      error: app.key,
      msg: errorText(app.key, lang, app.details.params),
      ...(errors.length > 0 && { errors }),
      requestId,
    },
    unexpected: status >= 500,
  }
}

/** Field errors of a schema, on their way out of the dispatcher. */
export class InputError extends AppError {
  constructor(readonly found: FieldError[]) {
    super('invalid_input')
  }
}
