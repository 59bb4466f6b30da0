/** Saves a site form: the schema's errors first, then the server's, each at its field. */
import type { FieldError } from '@tidegate/contract/issues'
import type { CallOf, OutputOf } from '@tidegate/contract/operations/index'
import { useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { ApiError, errorLine } from '../../shared/api/error.ts'
import { currentLang } from '../../shared/i18n.ts'
import { validate } from './form.ts'

export type Saved = OutputOf<'site.save'>

export interface SiteSave {
  errors: readonly FieldError[]
  /** What is wrong with the whole, '' = nothing. */
  failed: string
  /** Real name or phone must be there first. */
  lacking: boolean
  /** Someone else saved in between. */
  conflict: boolean
  busy: boolean
  save: (input: CallOf<'site.save'>) => Promise<Saved | null>
  clear: () => void
}

export const useSiteSave = (): SiteSave => {
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const [failed, setFailed] = useState('')
  const [lacking, setLacking] = useState(false)
  const [conflict, setConflict] = useState(false)
  const [busy, setBusy] = useState(false)
  const clear = () => {
    setErrors([])
    setFailed('')
    setConflict(false)
    setLacking(false)
  }
  const save = async (input: CallOf<'site.save'>) => {
    const wrong = validate(input, currentLang())
    clear()
    setErrors(wrong)
    if (wrong.length > 0 || busy) return null
    setBusy(true)
    try {
      return await call('site.save', input)
    } catch (error) {
      const found = error instanceof ApiError ? error.failure.errors : []
      setErrors(found)
      const key = error instanceof ApiError ? error.failure.error : ''
      if (key === 'real_name_required' || key === 'phone_required') setLacking(true)
      if (key === 'conflict') setConflict(true)
      else if (found.length === 0) setFailed(errorLine(error))
      return null
    } finally {
      setBusy(false)
    }
  }
  return { errors, failed, lacking, conflict, busy, save, clear }
}
