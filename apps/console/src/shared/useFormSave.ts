/** Saves a form: busy while it runs, the server's field errors at their fields, what belongs to no field above the form. */
import type { FormInstance } from 'antd'
import { useState } from 'react'
import { ApiError, errorLine, isSilent } from './api/error.ts'

interface FieldData {
  name: string | string[]
  errors: string[]
}

/** `fieldOf` names the form's field for the server's path; undefined: the form has none. */
export const useFormSave = <Values>(
  form: FormInstance<Values>,
  run: (values: Values) => Promise<void>,
  fieldOf: (path: string) => string | string[] | undefined = (path) => path.split('.')[0],
) => {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState('')
  const show = (error: unknown) => {
    const errors = error instanceof ApiError ? error.failure.errors : []
    const placed: FieldData[] = []
    for (const { path, msg } of errors) {
      const name = fieldOf(path)
      if (name === undefined) continue
      // A field may have several: one for each line that is wrong.
      const there = placed.find((one) => String(one.name) === String(name))
      if (there === undefined) placed.push({ name, errors: [msg] })
      else there.errors.push(msg)
    }
    form.setFields(placed as Parameters<typeof form.setFields>[0])
    if (placed.length === 0 && !isSilent(error)) setFailed(errorLine(error))
  }
  const save = async (values: Values) => {
    setBusy(true)
    setFailed('')
    try {
      await run(values)
    } catch (error) {
      show(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, failed, save: (values: Values) => void save(values) }
}
