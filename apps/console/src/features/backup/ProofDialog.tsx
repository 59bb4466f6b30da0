/** A dialog whose deed needs the password again: its own fields, then password and, when the server asks, a second factor. */
import { fieldText } from '@tidegate/contract/errors'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { Alert, Button, Form, type FormInstance, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../shared/api/error.ts'
import { currentLang } from '../../shared/i18n.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useProof } from './proof.ts'

export interface ProofValues {
  password: string
  code?: string
}

interface Props<Values extends ProofValues> {
  title: string
  okText: string
  danger?: boolean
  initial?: Partial<Values>
  /** Says that nothing may be sent yet, e.g. the word is not typed. */
  blocked?: (values: Partial<Values>) => boolean
  children: ReactNode
  /** With a fresh proof. What it throws is shown. */
  run: (proof: string, values: Values) => Promise<void>
  onClose: () => void
  fieldOf?: (path: string) => string | string[] | undefined
}

export const required = () => ({ required: true, message: fieldText('required', currentLang()) })

/** What the server calls the proof of the password belongs to the field of the password. */
const proofField = (path: string) => (path === 'proof' ? 'password' : path.split('.')[0])

const SecondFields = ({ passkey, onPasskey }: { passkey: boolean; onPasskey: () => void }) => {
  const { t } = useTranslation('backup')
  return (
    <>
      <Form.Item name="code" label={t('code')} extra={t('codeHint')}>
        <Input autoComplete="one-time-code" maxLength={32} autoFocus />
      </Form.Item>
      {passkey ? <Button onClick={onPasskey}>{t('usePasskey')}</Button> : null}
    </>
  )
}

const useProved = <Values extends ProofValues>(form: FormInstance<Values>, props: Props<Values>) => {
  const { t } = useTranslation('backup')
  const proof = useProof()
  const act = async (values: Values, given: string | null) => {
    if (given === null) return
    try {
      await props.run(given, values)
    } catch (error) {
      // One that was used up, or took too long, is asked for anew by the next try.
      if (error instanceof ApiError && error.failure.error === 'proof_expired') proof.forget()
      throw error
    }
  }
  const shown = async (error: unknown) => {
    if (!(error instanceof ApiError) || error.failure.error !== 'second_factor_wrong') throw error
    form.setFields([{ name: 'code', errors: [error.failure.msg] }] as Parameters<typeof form.setFields>[0])
  }
  return {
    second: proof.second,
    submit: (values: Values) =>
      proof.prove(values).then(
        (given) => act(values, given),
        (error: unknown) => shown(error),
      ),
    passkey: async (values: Values) => {
      const given = await proof.provePasskey(values.password).catch((error: unknown) => {
        throw error instanceof ApiError ? error : new Error(t('passkeyFailed'), { cause: error })
      })
      await act(values, given)
    },
  }
}

export const ProofDialog = <Values extends ProofValues>(props: Props<Values>) => {
  const { title, okText, danger = false, initial, blocked, children, onClose } = props
  const { t } = useTranslation(['backup', 'shared'])
  const [form] = Form.useForm<Values>()
  const [byPasskey, setByPasskey] = useState(false)
  const proved = useProved(form, props)
  const { busy, failed, save } = useFormSave<Values>(
    form,
    (values) => (byPasskey ? proved.passkey(values) : proved.submit(values)),
    props.fieldOf ?? proofField,
  )
  const values = Form.useWatch([], form) as Partial<Values> | undefined
  const held = blocked?.(values ?? {}) === true
  const submit = (passkey: boolean) => {
    setByPasskey(passkey)
    form.submit()
  }
  return (
    <PageModal
      open
      title={title}
      okText={okText}
      cancelText={t('cancel', { ns: 'shared' })}
      okButtonProps={{ danger, disabled: held }}
      confirmLoading={busy}
      mask={{ closable: false }}
      onOk={() => submit(false)}
      onCancel={onClose}
    >
      <Form<Values>
        name="backup"
        form={form}
        layout="vertical"
        onFinish={save}
        initialValues={initial as Record<string, unknown> | undefined}
      >
        {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
        {children}
        <Form.Item name="password" label={t('password')} rules={[required()]}>
          <Input.Password autoComplete="current-password" />
        </Form.Item>
        {proved.second === null ? null : (
          <SecondFields passkey={proved.second.passkey !== null} onPasskey={() => submit(true)} />
        )}
      </Form>
    </PageModal>
  )
}
