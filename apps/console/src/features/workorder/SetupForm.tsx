/** The form of a category or a quick reply: its name, its own fields, its place in the list. */
import { fieldText } from '@tidegate/contract/errors'
import { Alert, Button, Form, Input, InputNumber } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLang } from '../../shared/i18n.ts'
import { useFormSave } from '../../shared/useFormSave.ts'

/** Blanks alone are nothing. */
export const needed = () => ({ required: true, whitespace: true, message: fieldText('required', currentLang()) })

interface Props<Values> {
  initial: Values
  send: (values: Values) => Promise<unknown>
  onSaved: () => void
  /** Fields between name and place. */
  children: ReactNode
}

export const SetupForm = <Values extends { title: string; sort: number }>(props: Props<Values>) => {
  const { initial, send, onSaved, children } = props
  const { t } = useTranslation(['workorder', 'shared'])
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    await send(values)
    onSaved()
  })
  return (
    <Form<Values> form={form} layout="vertical" className="order-form" onFinish={save} initialValues={initial}>
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item name="title" label={t('name')} rules={[needed()]}>
        <Input maxLength={50} autoFocus />
      </Form.Item>
      {children}
      <Form.Item name="sort" label={t('sort')} extra={t('sortHint')}>
        <InputNumber min={0} max={9999} precision={0} />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}
