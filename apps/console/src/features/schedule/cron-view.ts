/** An expression in words and dates. Loaded with the first field that needs it. */
import { cronFault, nextRuns } from '@tidegate/contract/cron'
import type { Lang } from '@tidegate/contract/enums'
import { fieldText } from '@tidegate/contract/errors'
import cronstrue from 'cronstrue/i18n'

const LOCALES: Record<Lang, string> = { zh: 'zh_CN', en: 'en' }
const SHOWN = 5

export interface CronView {
  /** Empty: the expression is right. */
  fault: string
  words: string
  /** ISO times. */
  next: string[]
}

/** `now`: Unix ms. */
export const cronView = (text: string, lang: Lang, timeZone: string, now: number): CronView => {
  const fault = cronFault(text, now)
  if (fault !== null) return { fault: fieldText(fault, lang), words: '', next: [] }
  return {
    fault: '',
    words: cronstrue.toString(text.trim(), {
      locale: LOCALES[lang],
      use24HourTimeFormat: true,
      throwExceptionOnParseError: false,
    }),
    next: nextRuns(text, timeZone, now, SHOWN).map((at) => new Date(at).toISOString()),
  }
}
