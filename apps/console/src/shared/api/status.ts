/** What an HTTP status means, in words for a person (specification, section 8); for answers that do not speak for themselves. */
import i18next from 'i18next'

/** 0 = no answer came. */
export const STATUSES = [0, 1, 201, 202, 204, 400, 401, 402, 403, 404, 406, 408, 410, 429, 500, 502, 503, 504] as const
type Status = (typeof STATUSES)[number]

/** In the present language; null for a status without a text. */
export const statusText = (status: number): string | null => {
  const t = i18next.getFixedT(null, 'shared')
  const texts: Record<Status, string> = {
    0: t('status0'),
    1: t('status1'),
    201: t('status201'),
    202: t('status202'),
    204: t('status204'),
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
  const known = STATUSES.find((s) => s === status)
  return known === undefined ? null : texts[known]
}
