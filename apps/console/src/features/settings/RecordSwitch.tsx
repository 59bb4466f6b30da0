/** Enables and disables a record at once; unsaved changes go with it when it is enabled. */
import { useQueryClient } from '@tanstack/react-query'
import { App, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { useSay } from '../../shared/useSay.tsx'
import { RECORDS } from './api.ts'
import type { RecordForm } from './form.ts'

export const RecordSwitch = ({ form, name }: { form: RecordForm; name: string }) => {
  const { t } = useTranslation(['settings', 'shared'])
  const { message } = App.useApp()
  const say = useSay()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const on = form.row.status === 1
  const turn = async (checked: boolean) => {
    setBusy(true)
    try {
      if (checked && form.dirty) await form.save(1)
      else {
        await call('config.setStatus', { key: form.row.paramKey, status: checked ? 1 : 0 })
        message.success(t('done', { ns: 'shared' }))
        await client.invalidateQueries({ queryKey: RECORDS })
      }
    } catch (error) {
      say.failed(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <span className="settings-switch">
      <span className="tg-soft">{on ? t('enabled') : t('disabled')}</span>
      <Switch
        aria-label={t('enableWhat', { name })}
        checked={on}
        loading={busy}
        disabled={!form.row.editable}
        onChange={(checked) => void turn(checked)}
      />
    </span>
  )
}
