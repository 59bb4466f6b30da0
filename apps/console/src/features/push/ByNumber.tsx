/** Pushes sites, nodes or certificates again by their numbers, and says of each what became of it. */
import { useQueryClient } from '@tanstack/react-query'
import { fieldText } from '@tidegate/contract/errors'
import {
  MAX_PUSH_INPUTS,
  PUSH_INPUT_TYPES,
  type PushInputResult,
  type PushInputType,
} from '@tidegate/contract/operations/push'
import { useUi } from '@tidegate/ui/context'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Alert, Form, Input, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { PUSHES } from './api.ts'
import './push.css'

interface Values {
  type: PushInputType
  ids: string
}

/** Numbers out of free text, parted by spaces, commas or lines; null when something in it is none. */
export const idsOf = (text: string): number[] | null => {
  const words = text.split(/[\s,，;；]+/).filter((word) => word !== '')
  return words.every((word) => /^[1-9]\d{0,14}$/.test(word)) ? [...new Set(words.map(Number))] : null
}

const Results = ({ rows }: { rows: readonly PushInputResult[] }) => {
  const { t } = useTranslation('push')
  return (
    <ul className="push-results" aria-label={t('results')}>
      {rows.map((row) => (
        <li key={row.id}>
          <span className="tg-mono">{row.id}</span>
          <span className="push-result-name">{row.name}</span>
          <StatusDot tone={row.ok ? 'good' : 'bad'}>
            {row.ok
              ? t('onItsWay', { revisions: row.push.map(({ revision }) => `r${revision}`).join(' ') })
              : row.error}
          </StatusDot>
        </li>
      ))}
    </ul>
  )
}

export const ByNumber = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('push')
  const { lang } = useUi()
  const client = useQueryClient()
  const [form] = Form.useForm<Values>()
  const [rows, setRows] = useState<readonly PushInputResult[]>([])
  const names: Record<PushInputType, string> = {
    site: t('typeSite'),
    node: t('typeNode'),
    certificate: t('typeCertificate'),
  }
  const saving = useFormSave<Values>(form, async ({ type, ids }) => {
    setRows([])
    setRows((await call('push.byInput', { type, ids: idsOf(ids) ?? [] })).data)
    await client.invalidateQueries({ queryKey: PUSHES })
  })
  const check = async (_: unknown, text: string | undefined) => {
    const ids = idsOf(text ?? '')
    if (ids === null) throw new Error(fieldText('invalid', lang))
    if (ids.length === 0) throw new Error(fieldText('required', lang))
    if (ids.length > MAX_PUSH_INPUTS) throw new Error(fieldText('too_many_items', lang, { max: MAX_PUSH_INPUTS }))
  }
  return (
    <PageModal
      open
      title={t('byNumber')}
      okText={t('pushAgain')}
      cancelText={t('close')}
      confirmLoading={saving.busy}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <p className="tg-soft tg-lead">{t('byNumberText')}</p>
      {saving.failed === '' ? null : <Alert type="error" showIcon title={saving.failed} className="push-failed" />}
      <Form form={form} layout="vertical" initialValues={{ type: 'site', ids: '' }} onFinish={saving.save}>
        <Form.Item name="type" label={t('type')}>
          <Radio.Group options={PUSH_INPUT_TYPES.map((value) => ({ value, label: names[value] }))} />
        </Form.Item>
        <Form.Item name="ids" label={t('ids')} rules={[{ validator: check }]} validateTrigger="onBlur">
          <Input.TextArea rows={3} placeholder={t('idsHint')} />
        </Form.Item>
      </Form>
      {rows.length === 0 ? null : <Results rows={rows} />}
    </PageModal>
  )
}
