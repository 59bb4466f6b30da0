/** A config record as a form: members by dotted path, checked by the record's own schema, saved as JSON. */
import { useQueryClient } from '@tanstack/react-query'
import { type FieldError, fieldErrors } from '@tidegate/contract/issues'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { App } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { call } from '../../shared/api/call.ts'
import { ApiError, errorLine } from '../../shared/api/error.ts'
import { currentLang } from '../../shared/i18n.ts'
import { RECORDS } from './api.ts'

export type Members = Record<string, unknown>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy with one member changed. */
export const withMember = (value: unknown, path: readonly string[], member: unknown): unknown => {
  const [head, ...rest] = path
  if (head === undefined) return member
  const own = isMembers(value) ? value : {}
  return { ...own, [head]: withMember(own[head], rest, member) }
}

export const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((at: unknown, name) => (isMembers(at) ? at[name] : undefined), value)

const parsedValue = (row: ConfigRow, blank: unknown): unknown => {
  const value: unknown = JSON.parse(row.paramValue)
  return value ?? blank
}

const PREFIX = 'paramValue.'
const ownPath = ({ path, msg }: FieldError): FieldError => ({
  path: path.startsWith(PREFIX) ? path.slice(PREFIX.length) : path,
  msg,
})

export interface RecordForm {
  row: ConfigRow
  value: unknown
  text: (path: string) => string
  get: (path: string) => unknown
  set: (path: string, member: unknown) => void
  /** Takes another whole value; `touched` are the members that the person changed. */
  setWhole: (next: unknown, touched?: readonly string[]) => void
  /** The member was left: from now on its error is shown. */
  touch: (path: string) => void
  errorOf: (path: string) => string | undefined
  dirty: boolean
  busy: boolean
  failed: string
  conflict: boolean
  /** Saves; `status` switches over at once. */
  save: (status?: 0 | 1) => Promise<boolean>
  /** Takes what is stored. */
  reset: () => void
}

/** `blank`: what the form begins with while nothing is stored. */
export const useRecordForm = (row: ConfigRow, schema: z.ZodType, blank: unknown): RecordForm => {
  const { t } = useTranslation('shared')
  const { message } = App.useApp()
  const client = useQueryClient()
  const [base, setBase] = useState(row)
  const [seen, setSeen] = useState(row)
  const [value, setValue] = useState<unknown>(() => parsedValue(row, blank))
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [submitted, setSubmitted] = useState(false)
  const [refused, setRefused] = useState<readonly FieldError[]>([])
  const [state, setState] = useState({ busy: false, failed: '', conflict: false })
  const dirty = JSON.stringify(value) !== JSON.stringify(parsedValue(base, blank))
  const take = (next: ConfigRow) => {
    setBase(next)
    setValue(parsedValue(next, blank))
    setTouched(new Set())
    setSubmitted(false)
    setRefused([])
    setState({ busy: false, failed: '', conflict: false })
  }
  // A newer answer takes the form's place only while nothing is typed; the one from before a save does not come back.
  if (row !== seen && !dirty) {
    setSeen(row)
    take(row)
  }
  const found = (): FieldError[] => {
    const parsed = schema.safeParse(value, { reportInput: true })
    return parsed.success ? [] : fieldErrors(parsed.error, currentLang())
  }
  const shown = [...found().filter((e) => submitted || touched.has(e.path)), ...refused]
  const touch = (path: string) => setTouched((old) => (old.has(path) ? old : new Set([...old, path])))
  const show = (error: unknown) => {
    const errors = error instanceof ApiError ? error.failure.errors : []
    const conflict = error instanceof ApiError && error.failure.error === 'conflict'
    setRefused(errors.map(ownPath))
    setState({ busy: false, failed: errors.length === 0 && !conflict ? errorLine(error) : '', conflict })
  }
  const save = async (status?: 0 | 1) => {
    setSubmitted(true)
    setRefused([])
    if (found().length > 0 || state.busy) return false
    setState({ busy: true, failed: '', conflict: false })
    try {
      const paramValue = JSON.stringify(value)
      const { version } = await call('config.update', {
        id: base.id,
        paramValue,
        version: base.version,
        ...(status !== undefined && { status }),
      })
      message.success(t('saved'))
      take({ ...base, paramValue, version, ...(status !== undefined && { status }) })
      await client.invalidateQueries({ queryKey: RECORDS })
      return true
    } catch (error) {
      show(error)
      return false
    }
  }
  return {
    row: base,
    value,
    get: (path) => memberAt(value, path),
    text: (path) => String(memberAt(value, path) ?? ''),
    set: (path, member) => {
      setRefused((old) => old.filter((e) => e.path !== path))
      setValue((old: unknown) => withMember(old, path.split('.'), member))
      touch(path)
    },
    setWhole: (next, paths = ['']) => {
      setRefused([])
      setValue(next)
      for (const path of paths) touch(path)
    },
    touch,
    errorOf: (path) => shown.find((e) => e.path === path)?.msg,
    dirty,
    ...state,
    save,
    reset: () => take(row),
  }
}
