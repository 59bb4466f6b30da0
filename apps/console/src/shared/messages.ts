/** What the console says of an operation's end, and asks before it: one table for all screens, in the specification's words (section 8). */
import i18next from 'i18next'

/** Said when something was done. */
export const SUCCESSES = ['saved', 'done', 'deleted', 'added', 'edited', 'copied', 'passwordChanged'] as const
/** Said when it could not be. */
export const FAILURES = [
  'copyEmpty',
  'copyUnsupported',
  'fullScreenUnsupported',
  'passwordWrong',
  'passwordFailed',
  'nothingChosen',
] as const
export type Success = (typeof SUCCESSES)[number]
export type Failure = (typeof FAILURES)[number]

/** In the present language. */
export const messageText = (key: Success | Failure | 'cancelled'): string => {
  const t = i18next.getFixedT(null, 'shared')
  const texts: Record<Success | Failure | 'cancelled', string> = {
    saved: t('saved'),
    done: t('done'),
    deleted: t('deleted'),
    added: t('added'),
    edited: t('edited'),
    copied: t('copied'),
    passwordChanged: t('passwordChanged'),
    copyEmpty: t('copyEmpty'),
    copyUnsupported: t('copyUnsupported'),
    fullScreenUnsupported: t('fullScreenUnsupported'),
    passwordWrong: t('passwordWrong'),
    passwordFailed: t('passwordFailed'),
    nothingChosen: t('nothingChosen'),
    cancelled: t('cancelled'),
  }
  return texts[key]
}

/** A question before something that a person may not want. */
export type Question =
  | { ask: 'closeRecursion' }
  | { ask: 'closeForwarding' }
  /** `what`: the kind of thing in the person's words, e.g. the text `ipRange`; `forever`: warn that it cannot be undone. */
  | { ask: 'delete'; what: string; count: number; forever?: boolean }

/** The question's lines in the present language. */
export const questionLines = (question: Question): string[] => {
  const t = i18next.getFixedT(null, 'shared')
  if (question.ask === 'closeRecursion') return [t('closeRecursion')]
  if (question.ask === 'closeForwarding') return [t('closeForwarding')]
  const { what, count, forever } = question
  const first = count === 1 ? t('deleteOne', { what }) : t('deleteMany', { what, n: count })
  return forever === true ? [first, t('deleteForever')] : [first]
}

/** The name of an IP range in a question. */
export const ipRange = (): string => i18next.getFixedT(null, 'shared')('whatRange')
