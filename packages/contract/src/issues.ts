/** Puts the issues of a schema into words: the same for the server's answer and for the form in the console. */
import type { z } from 'zod'
import type { Lang } from './enums.ts'
import { FIELD_ERRORS, type FieldErrorKey, fieldText } from './errors.ts'

export interface FieldError {
  /** Dotted path of the field, e.g. `origins.0.host`. */
  path: string
  msg: string
}

type Issue = z.core.$ZodIssue
type Params = Record<string, string | number>
const isKey = (text: string): text is FieldErrorKey => Object.hasOwn(FIELD_ERRORS, text)

/** The key and params of one issue. A schema may name its key as the message; otherwise the kind of the issue decides. */
const classify = (issue: Issue): [FieldErrorKey, Params] => {
  if (isKey(issue.message)) return [issue.message, paramsOf(issue)]
  switch (issue.code) {
    case 'invalid_type':
      return [issue.input === undefined || issue.input === null ? 'required' : 'invalid', {}]
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum))
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum))
    case 'invalid_value':
      return issue.input === undefined
        ? ['required', {}]
        : ['not_one_of', { values: issue.values.map(String).join(', ') }]
    case 'unrecognized_keys':
      return ['unknown_field', {}]
    default:
      return ['invalid', {}]
  }
}

const tooSmall = (origin: string, min: number): [FieldErrorKey, Params] => {
  if (origin === 'string') return min <= 1 ? ['required', {}] : ['too_short', { min }]
  if (origin === 'array') return min <= 1 ? ['required', {}] : ['too_few_items', { min }]
  return ['too_small', { min }]
}

const tooBig = (origin: string, max: number): [FieldErrorKey, Params] => {
  if (origin === 'string') return ['too_long', { max }]
  if (origin === 'array') return ['too_many_items', { max }]
  return ['too_big', { max }]
}

const paramsOf = (issue: Issue): Params => {
  if (issue.code === 'custom') return (issue.params ?? {}) as Params
  if (issue.code === 'too_small') return { min: Number(issue.minimum) }
  if (issue.code === 'too_big') return { max: Number(issue.maximum) }
  return {}
}

/** All issues of a failed parse as field errors in one language. Parse with `{ reportInput: true }` so that a missing field is told from a wrong one. */
export const fieldErrors = (error: { issues: readonly Issue[] }, lang: Lang): FieldError[] =>
  error.issues.map((issue) => {
    const [key, params] = classify(issue)
    return { path: issue.path.map(String).join('.'), msg: fieldText(key, lang, params) }
  })
