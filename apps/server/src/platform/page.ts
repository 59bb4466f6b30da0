/** The form of every list's answer. */
import { COUNT_CAP } from '@tidegate/contract/limits'

/** `total` is counted up to COUNT_CAP only. */
export const page = <T>(input: { page: number; limit: number }, total: number, list: T[]) => ({
  data: {
    list,
    totalCount: Math.min(total, COUNT_CAP),
    pageSize: input.limit,
    currPage: input.page,
    totalPage: Math.ceil(Math.min(total, COUNT_CAP) / input.limit),
  },
})

/** Text of a person as a LIKE pattern that means the text itself, anywhere. */
export const contains = (text: string) => `%${escapeLike(text)}%`
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** The column that a caller's word stands for; any other word, and what every object has by birth, stands for `fallback`. */
export const columnOf = <T>(columns: Readonly<Record<string, T>>, word: string | undefined, fallback: T): T =>
  word !== undefined && Object.hasOwn(columns, word) ? (columns[word] ?? fallback) : fallback
