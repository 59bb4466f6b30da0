/** The form that adds a site: domains and origins are enough. */
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSay } from '../../shared/useSay.tsx'
import { SITES } from './api.ts'
import { DomainsField, OriginFields } from './fields.tsx'
import { emptyForm, inputOf, type SiteForm } from './form.ts'
import { OwnerField } from './OwnerField.tsx'
import { SaveFailed } from './SaveFailed.tsx'
import { type Saved, useSiteSave } from './useSiteSave.ts'

export const AddForm = ({ onSaved }: { onSaved: (saved: Saved) => void }) => {
  const { t } = useTranslation(['site', 'shared'])
  const say = useSay()
  const client = useQueryClient()
  const [form, setForm] = useState<SiteForm>(emptyForm)
  const { errors, failed, lacking, busy, save } = useSiteSave()
  const onForm = (part: Partial<SiteForm>) => setForm((old) => ({ ...old, ...part }))
  const submit = async () => {
    const saved = await save(inputOf(form))
    if (saved === null) return
    say.ok('saved')
    void client.invalidateQueries({ queryKey: SITES })
    onSaved(saved)
  }
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        void submit()
      }}
    >
      {failed === '' ? null : <SaveFailed text={failed} lacking={lacking} />}
      <DomainsField first form={form} errors={errors} onForm={onForm} />
      <OriginFields form={form} errors={errors} onForm={onForm} />
      <OwnerField form={form} errors={errors} onForm={onForm} />
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save')}
      </Button>
    </form>
  )
}
