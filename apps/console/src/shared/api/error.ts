/** What can go wrong with a call, as one class that the screens show. */
import type { FieldError } from '@tidegate/contract/issues'
import i18next from 'i18next'
import { statusText } from './status.ts'

export interface ApiFailure {
  /** Body code when the answer was an envelope, else the HTTP status; 0 = no answer. */
  code: number
  /** HTTP status; 0 = no answer. */
  status: number
  /** Stable key of the error table, '' when the answer was no envelope. */
  error: string
  /** The server's text: in the caller's language when the answer was an envelope, '' when it said nothing. */
  msg: string
  errors: FieldError[]
  requestId: string
  captchaRequired: boolean
  /** All that an envelope said, for errors that carry more. */
  body: Readonly<Record<string, unknown>>
}

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly failure: ApiFailure
  /** The login is over, and the dialog says so: to be said nowhere else. */
  readonly expired: boolean
  constructor(failure: ApiFailure, expired = false) {
    super(failure.msg || (statusText(failure.status) ?? ''))
    this.failure = failure
    this.expired = expired
  }
}

/** A call that was given up because the person went on, or the page was closed: never shown. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** What is shown nowhere: a call that was given up, and what the dialog for an ended login says already. */
export const isSilent = (error: unknown): boolean =>
  error instanceof Cancelled || (error instanceof ApiError && error.expired)

/** What the server itself said, without code or id; else what the status means. */
const said = ({ status, msg, errors }: ApiFailure): string => {
  if (errors.length > 0) return errors.map((e) => e.msg).join(' · ')
  const t = i18next.getFixedT(null, 'shared')
  return msg || (statusText(status) ?? t('statusOther', { status }))
}

/** One line for a person: the message with what was wrong with fields, code and request id; '' for a call that was given up. */
export const errorLine = (error: unknown): string => {
  if (error instanceof Cancelled) return ''
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const { code, requestId } = error.failure
  const t = i18next.getFixedT(null, 'shared')
  const msg = said(error.failure)
  return requestId === '' ? t('errorCode', { msg, code }) : t('errorCodeId', { msg, code, requestId })
}

/** The second line: HTTP status and what it means; null when the first says so, or the error is none of HTTP. */
export const errorDetail = (error: unknown): string | null => {
  if (!(error instanceof ApiError)) return null
  const { status, errors } = error.failure
  const meaning = statusText(status)
  if (meaning === null || errors.length > 0 || said(error.failure) === meaning) return null
  return i18next.getFixedT(null, 'shared')('statusLine', { status, meaning })
}
