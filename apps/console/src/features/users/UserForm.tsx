/** Adds or edits a customer: account, contact, access, screens taken away. */
import type { CustomerInfo } from '@tidegate/contract/operations/customer'
import { lines } from '@tidegate/contract/validators'
import { Alert, App, Button, Drawer, Form, Input, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { mailRules, nameRules, passwordRules, phoneRules } from '../../shared/account-rules.ts'
import { call } from '../../shared/api/call.ts'
import { Failed } from '../../shared/Failed.tsx'
import { usePasswordHint } from '../../shared/password-rules.ts'
import { screenTree } from '../../shared/screen-tree.ts'
import { TreePicker } from '../../shared/TreePicker.tsx'
import { useFormSave } from '../../shared/useFormSave.ts'
import { type Screens, useScreens, useUser } from './api.ts'

interface Values {
  username: string
  password: string
  mobile: string
  email: string
  wechat: string
  note: string
  enabled: boolean
  limited: boolean
  /** One a line. */
  whiteIps: string
  unvalidModel: string[]
}

const valuesOf = (user: CustomerInfo | null): Omit<Values, 'password'> => ({
  username: user?.username ?? '',
  mobile: user?.mobile ?? '',
  email: user?.email ?? '',
  wechat: user?.wechat ?? '',
  note: user?.note ?? '',
  enabled: user?.enabled ?? true,
  limited: user?.whiteIpStatus === 1,
  whiteIps: (user?.whiteIps ?? []).join('\n'),
  unvalidModel: user?.unvalidModel ?? [],
})

const ContactFields = () => {
  const { t } = useTranslation('users')
  return (
    <>
      <Form.Item name="mobile" label={t('mobile')} rules={phoneRules()}>
        <Input maxLength={21} inputMode="tel" autoComplete="off" />
      </Form.Item>
      <Form.Item name="email" label={t('email')} rules={mailRules()}>
        <Input maxLength={254} inputMode="email" autoComplete="off" />
      </Form.Item>
      <Form.Item name="wechat" label={t('wechat')}>
        <Input maxLength={64} autoComplete="off" />
      </Form.Item>
      <Form.Item name="note" label={t('note')} extra={t('noteHint')}>
        <Input.TextArea rows={2} maxLength={2000} />
      </Form.Item>
    </>
  )
}

const AccessFields = ({ screens }: { screens: Screens }) => {
  const { t } = useTranslation('users')
  const limited = Form.useWatch<boolean>('limited')
  return (
    <>
      <Form.Item name="enabled" label={t('enabled')} valuePropName="checked" extra={t('enabledHint')}>
        <Switch />
      </Form.Item>
      <Form.Item name="limited" label={t('whiteIpStatus')} valuePropName="checked">
        <Switch />
      </Form.Item>
      <Form.Item name="whiteIps" label={t('whiteIps')} extra={t('whiteIpsHint')} hidden={limited !== true}>
        <Input.TextArea rows={3} className="tg-mono" spellCheck={false} />
      </Form.Item>
      <Form.Item name="unvalidModel" label={t('taken')} extra={t('takenHint')}>
        <TreePicker label={t('taken')} tree={screenTree(screens)} />
      </Form.Item>
    </>
  )
}

const UserForm = ({ user, screens, onSaved }: { user: CustomerInfo | null; screens: Screens; onSaved: () => void }) => {
  const { t } = useTranslation(['users', 'shared'])
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const passwordHint = usePasswordHint()
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    const { password, limited, whiteIps, ...rest } = values
    const fields = {
      ...rest,
      lang: user?.lang ?? null,
      whiteIpStatus: limited ? 1 : 0,
      whiteIps: lines(whiteIps ?? ''),
    }
    if (user === null) await call('customer.save', { ...fields, password })
    else await call('customer.update', { ...fields, id: user.id })
    message.success(user === null ? t('added') : t('edited'))
    onSaved()
  })
  return (
    <Form<Values> form={form} layout="vertical" onFinish={save} initialValues={valuesOf(user)}>
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item name="username" label={t('username')} rules={nameRules()} extra={t('nameHint')}>
        <Input maxLength={32} autoComplete="off" autoFocus={user === null} />
      </Form.Item>
      {user === null ? (
        <Form.Item name="password" label={t('password')} rules={passwordRules()} extra={passwordHint}>
          <Input.Password autoComplete="new-password" />
        </Form.Item>
      ) : null}
      <ContactFields />
      <AccessFields screens={screens} />
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}

const Body = ({ id, onSaved }: { id: number | null; onSaved: () => void }) => {
  const screens = useScreens()
  const user = useUser(id)
  const error = screens.error ?? user.error
  if (error !== null)
    return <Failed error={error} onRetry={() => void Promise.all([screens.refetch(), user.refetch()])} />
  if (screens.data === undefined || (id !== null && user.data === undefined)) return <div className="tg-bone" />
  return <UserForm user={user.data ?? null} screens={screens.data} onSaved={onSaved} />
}

/** `id` null: a new one. */
export const UserDrawer = ({
  open,
  id,
  name,
  onClose,
}: {
  open: boolean
  id: number | null
  name: string
  onClose: (saved: boolean) => void
}) => {
  const { t } = useTranslation('users')
  return (
    <Drawer
      open={open}
      onClose={() => onClose(false)}
      title={id === null ? t('add') : t('editTitle', { name })}
      size={520}
      destroyOnHidden
    >
      {open ? <Body id={id} onSaved={() => onClose(true)} /> : null}
    </Drawer>
  )
}
