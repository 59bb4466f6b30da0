/** Gives a runtime variable another value; checked by the rules that the server has. */
import { fieldText } from '@tidegate/contract/errors'
import type { VariableRow } from '@tidegate/contract/operations/tools'
import { type VariableValue, valueFault, variableKind } from '@tidegate/contract/runtime-variables'
import { useUi } from '@tidegate/ui/context'
import { grouped } from '@tidegate/ui/format'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { Alert, Form, Input, InputNumber, Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useUnits, useValueText } from './variable-words.tsx'

interface Values {
  value: VariableValue | null
}

/** The control that fits the kind of value. */
const control = (row: VariableRow, unit: string) => {
  if (row.type === 'boolean') return <Switch />
  if (row.type === 'choice') return <Select options={row.choices.map((choice) => ({ value: choice, label: choice }))} />
  if (row.type === 'number') return <InputNumber precision={0} className="tools-number" suffix={unit} />
  return <Input maxLength={255} placeholder="https://cdn.example.com" />
}

interface Props {
  row: VariableRow
  onSave: (value: VariableValue) => Promise<void>
  onClose: () => void
}

export const VariableForm = ({ row, onSave, onClose }: Props) => {
  const { t } = useTranslation('tools')
  const { lang } = useUi()
  const [form] = Form.useForm<Values>()
  const units = useUnits()
  const text = useValueText()
  const saving = useFormSave<Values>(form, async ({ value }) => onSave(value ?? ''))
  const check = async (_: unknown, value: unknown) => {
    const fault =
      value === null || value === undefined ? { key: 'required' as const } : valueFault(variableKind(row.key), value)
    if (fault !== null) throw new Error(fieldText(fault.key, lang, 'params' in fault ? fault.params : undefined))
  }
  const range =
    row.min === null || row.max === null ? '' : t('range', { min: grouped(row.min, lang), max: grouped(row.max, lang) })
  return (
    <PageModal
      open
      title={row.title[lang]}
      okText={t('save')}
      cancelText={t('cancel')}
      confirmLoading={saving.busy}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <p className="tg-soft tg-lead">{row.about[lang]}</p>
      {saving.failed === '' ? null : <Alert type="error" showIcon title={saving.failed} className="tools-alert" />}
      <Form
        form={form}
        layout="vertical"
        initialValues={{ value: row.value }}
        onFinish={saving.save}
        validateTrigger="onBlur"
      >
        <Form.Item
          name="value"
          label={t('value1')}
          rules={[{ validator: check }]}
          {...(row.type === 'boolean' && { valuePropName: 'checked' })}
          extra={`${range}${range === '' ? '' : ' · '}${t('standard')}: ${text(row.default, row.unit)}`}
        >
          {control(row, units[row.unit])}
        </Form.Item>
      </Form>
    </PageModal>
  )
}
