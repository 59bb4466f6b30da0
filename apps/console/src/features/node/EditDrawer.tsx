/** Name, public address and remark of a node. */
import { fieldText } from '@tidegate/contract/errors'
import type { NodeRow } from '@tidegate/contract/operations/node'
import { Alert, Button, Drawer, Form, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { ApiError, errorLine } from '../../shared/api/error.ts'
import { currentLang } from '../../shared/i18n.ts'
import { useSay } from '../../shared/useSay.tsx'

type Values = Pick<NodeRow, 'name' | 'address' | 'remark'>

const EditForm = ({ node, onSaved }: { node: NodeRow; onSaved: () => void }) => {
  const { t } = useTranslation(['node', 'shared'])
  const say = useSay()
  const [form] = Form.useForm<Values>()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState('')
  const save = async (values: Values) => {
    setBusy(true)
    setFailed('')
    try {
      await call('node.save', { id: node.id, ...values })
      say.ok('saved')
      onSaved()
    } catch (error) {
      const fields = error instanceof ApiError ? error.failure.errors : []
      form.setFields(fields.map((e) => ({ name: e.path as keyof Values, errors: [e.msg] })))
      if (fields.length === 0) setFailed(errorLine(error))
    } finally {
      setBusy(false)
    }
  }
  const { name, address, remark } = node
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      initialValues={{ name, address, remark }}
      onFinish={(values) => void save(values)}
    >
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item
        name="name"
        label={t('nodeName')}
        rules={[{ required: true, whitespace: true, message: fieldText('required', currentLang()) }]}
      >
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="address" label={t('address')}>
        <Input maxLength={255} placeholder="203.0.113.7" />
      </Form.Item>
      <Form.Item name="remark" label={t('remark')}>
        <Input.TextArea maxLength={255} rows={3} />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}

export const EditDrawer = ({ node, onClose }: { node: NodeRow | null; onClose: (saved: boolean) => void }) => {
  const { t } = useTranslation('node')
  return (
    <Drawer open={node !== null} onClose={() => onClose(false)} title={t('editTitle')} size={420} destroyOnHidden>
      {node === null ? null : <EditForm node={node} onSaved={() => onClose(true)} />}
    </Drawer>
  )
}
