/** A certificate with its key, as PEM. With an id it takes the place of that one. */
import { useQueryClient } from '@tanstack/react-query'
import { CodeEditor } from '@tidegate/ui/CodeEditor.tsx'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/call.ts'
import { ApiError } from '../api/error.ts'
import { Field } from '../Field.tsx'
import { useSay } from '../useSay.tsx'
import './texts.ts'
import { CERTS } from './useCert.ts'

interface Props {
  id?: number
  remark?: string
  onSaved: (id: number) => void
}

export const UploadForm = ({ id, remark, onSaved }: Props) => {
  const { t } = useTranslation('certificate')
  const say = useSay()
  const client = useQueryClient()
  const [pem, setPem] = useState({ certPem: '', keyPem: '' })
  const [errors, setErrors] = useState<readonly { path: string; msg: string }[]>([])
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    setErrors([])
    try {
      const saved = await call('cert.save', {
        ...pem,
        ...(id !== undefined && { id }),
        ...(remark !== undefined && { remark }),
      })
      await client.invalidateQueries({ queryKey: CERTS })
      onSaved(saved.id)
    } catch (error) {
      const found = error instanceof ApiError ? error.failure.errors : []
      setErrors(found)
      if (found.length === 0) say.failed(error)
    } finally {
      setBusy(false)
    }
  }
  const area = (name: 'certPem' | 'keyPem', label: string) => (
    <Field label={label} required error={errors.filter((e) => e.path === name).map((e) => e.msg)}>
      {(control) => (
        <CodeEditor
          {...control}
          label={label}
          mode="pem"
          value={pem[name]}
          hint="-----BEGIN"
          onChange={(text) => setPem((old) => ({ ...old, [name]: text }))}
        />
      )}
    </Field>
  )
  return (
    <>
      {area('certPem', t('certPem'))}
      {area('keyPem', t('keyPem'))}
      <Button type="primary" loading={busy} onClick={() => void save()}>
        {t('upload')}
      </Button>
    </>
  )
}
