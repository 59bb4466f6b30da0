/** Config records for component tests, and the hands of a person at their forms. */
import { configure, fireEvent, screen } from '@testing-library/react'
import { fieldErrors } from '@tidegate/contract/issues'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import type { ComponentType } from 'react'
import { beforeEach, vi } from 'vitest'
import type { z } from 'zod'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { EMPTY_LIST, USER } from '../../testing/fixtures.ts'
import { showPage } from '../../testing/page.tsx'
import { peer } from '../../testing/peer.ts'

export const SAVE = { en: 'Save', zh: '保存' } as const

/** Who may do everything stands at the screens. */
export const asOperator = (): void => {
  inBrowser()
  configure({ asyncUtilTimeout: 15_000 })
  vi.setConfig({ testTimeout: 60_000 })
  beforeEach(() => useSession.setState({ user: USER.user }))
}

/** `value` null: nothing is stored yet. */
export const row = (id: number, paramKey: string, value: unknown, more: Partial<ConfigRow> = {}): ConfigRow => ({
  id,
  paramKey,
  remark: paramKey,
  paramValue: JSON.stringify(value),
  status: 0,
  weight: 1,
  version: value === null ? 0 : 1,
  updateTime: '',
  updateBy: '',
  paramClass: '',
  switchable: true,
  secrets: [],
  editable: true,
  ...more,
})

/** The answer of a list of records. */
export const listed = (rows: readonly ConfigRow[]) => ({
  data: { ...EMPTY_LIST.data, list: [...rows], totalCount: rows.length },
})

/** Shows a page over these records; keeps what is saved. */
export const show = (Page: ComponentType, rows: ConfigRow[], importUrl = '') => {
  const { seen } = peer({
    'config.list': () => listed(rows),
    'config.update': ({ id }) => ({ id: Number(id), version: 2 }),
    'config.setStatus': ({ status }) => ({ status: Number(status) }),
    'dispatch.key': () => ({ token: 'monitor-token', importUrl }),
    'dispatch.renewKey': () => ({}),
  })
  showPage(Page)
  const saved = () => {
    const last = seen.findLast((s) => s.id === 'config.update')
    return last === undefined ? undefined : (JSON.parse(String(last.input.paramValue)) as Record<string, unknown>)
  }
  return { saved, seen }
}

export const control = (label: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^\\*?${label}$`))

/** Types into a field and leaves it. */
export const type = async (label: string, text: string) => {
  const input = await control(label)
  fireEvent.change(input, { target: { value: text } })
  fireEvent.blur(input)
}

/** What a schema says to a value, as the server says it. */
export const saidBy = (schema: z.ZodType, value: unknown, lang: 'zh' | 'en') => {
  const parsed = schema.safeParse(value, { reportInput: true })
  return parsed.success ? [] : fieldErrors(parsed.error, lang)
}
