import type { ErrorKey, FieldErrorKey } from '@tidegate/contract/errors'

type Params = Record<string, string | number>

/** A field that is wrong for a reason only the server can know. */
export interface FieldFault {
  path: string
  key: FieldErrorKey
  params?: Params
}

/** What a handler throws to answer with an error of the contract's table. */
export class AppError extends Error {
  constructor(
    readonly key: ErrorKey,
    readonly details: {
      params?: Params
      fields?: FieldFault[]
      /** Field errors in the caller's language already, as a schema gives them. */
      worded?: readonly { path: string; msg: string }[]
      extra?: Record<string, unknown>
      cause?: unknown
    } = {},
  ) {
    super(key, { cause: details.cause })
    this.name = 'AppError'
  }
}

/** `invalid_input` for one field. */
export const fieldError = (path: string, key: FieldErrorKey, params?: Params) =>
  new AppError('invalid_input', { fields: [{ path, key, ...(params && { params }) }] })
