/** Asks for the password before something that it guards. */
import { fieldText } from '@tidegate/contract/errors'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLang } from '../i18n.ts'
import { useFormSave } from '../useFormSave.ts'
import './texts.ts'

export interface Asked {
  password: string
  name: string
}

interface Props {
  title: string
  text?: string
  okText: string
  danger?: boolean
  /** Asks for a name too, filled in with this. */
  name?: { label: string; preset: string }
  onClose: () => void
  /** What it throws is shown; a wrong password at its field. */
  run: (asked: Asked) => Promise<void>
  children?: ReactNode
}

export const Ask = ({ title, text, okText, danger = false, name, onClose, run, children }: Props) => {
  const { t } = useTranslation(['security', 'shared'])
  const [form] = Form.useForm<Asked>()
  const { busy, failed, save } = useFormSave<Asked>(form, run, (path) =>
    path === 'password' || path === 'name' ? path : undefined,
  )
  const required = { required: true, whitespace: true, message: fieldText('required', currentLang()) }
  return (
    <PageModal
      open
      title={title}
      okText={okText}
      cancelText={t('cancel', { ns: 'shared' })}
      okButtonProps={{ danger }}
      confirmLoading={busy}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      {/* A name of its own: the page behind may have a field `password` too, and ids must differ. */}
      <Form<Asked>
        name="ask"
        form={form}
        layout="vertical"
        onFinish={save}
        initialValues={{ name: name?.preset ?? '' }}
      >
        {text === undefined ? null : <p>{text}</p>}
        {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
        {name === undefined ? null : (
          <Form.Item name="name" label={name.label} rules={[required]}>
            <Input maxLength={40} autoComplete="off" />
          </Form.Item>
        )}
        <Form.Item name="password" label={t('password')} rules={[required]}>
          <Input.Password autoComplete="current-password" />
        </Form.Item>
        {children}
      </Form>
    </PageModal>
  )
}
