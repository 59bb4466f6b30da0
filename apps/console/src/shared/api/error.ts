/** What can go wrong with a call, as one class that the screens show. */
import type { FieldError } from '@tidegate/contract/issues'
import i18next from 'i18next'

export interface ApiFailure {
  /** Body code when the answer was an envelope, else the HTTP status; 0 = no answer. */
  code: number
  /** Stable key of the error table, '' when the answer was no envelope. */
  error: string
  /** In the caller's language. */
  msg: string
  errors: FieldError[]
  requestId: string
  captchaRequired: boolean
}

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly failure: ApiFailure
  constructor(failure: ApiFailure) {
    super(failure.msg)
    this.failure = failure
  }
}

/** A call that was given up because the person went on, or the page was closed: never shown. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Texts of HTTP statuses for answers that are no envelope (specification, section 8). */
export const statusText = (status: number): string => {
  const t = i18next.getFixedT(null, 'shared')
  const texts: Record<number, string> = {
    0: t('status0'),
    400: t('status400'),
    401: t('status401'),
    402: t('status402'),
    403: t('status403'),
    404: t('status404'),
    406: t('status406'),
    408: t('status408'),
    410: t('status410'),
    429: t('status429'),
    500: t('status500'),
    502: t('status502'),
    503: t('status503'),
    504: t('status504'),
  }
  return texts[status] ?? t('statusOther', { status })
}

/** One line for a person: the message with what was wrong with fields, code and request id. */
export const errorLine = (error: unknown): string => {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const { code, errors, requestId } = error.failure
  const msg = errors.length === 0 ? error.failure.msg : errors.map((e) => e.msg).join(' · ')
  const t = i18next.getFixedT(null, 'shared')
  return requestId === '' ? t('errorCode', { msg, code }) : t('errorCodeId', { msg, code, requestId })
}
