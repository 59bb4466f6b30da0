/** Names, numbers and addresses that only one account can have. */
import { fieldError } from '../../platform/errors.ts'
import { sqlState } from '../../platform/query.ts'

type Field = 'username' | 'mobile' | 'email' | 'wechat'

const FIELDS: Record<string, Field> = {
  customer_username: 'username',
  customer_mobile: 'mobile',
  customer_email: 'email',
  customer_wechat: 'wechat',
}

/** The unique index that a write ran into. */
const indexOf = (error: unknown): string => {
  for (let e = error; e instanceof Error; e = e.cause) {
    const name = (e as { constraint?: unknown }).constraint
    if (typeof name === 'string') return name
  }
  return ''
}

/** Turns what another account has into an error of its field; `names` says what the caller's form calls it. */
export const uniquely = async <T>(
  values: Partial<Record<Field, string>>,
  work: () => Promise<T>,
  names: Partial<Record<Field, string>> = {},
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const field = sqlState(error) === '23505' ? FIELDS[indexOf(error)] : undefined
    if (field === undefined) throw error
    throw fieldError(names[field] ?? field, 'taken', { value: values[field] ?? '' })
  }
}
