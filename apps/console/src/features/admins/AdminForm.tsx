/** Adds or edits an administrator: name, roles, state, screens taken away. */
import type { AdminRow } from '@tidegate/contract/operations/admin'
import { Alert, Button, Drawer, Form, Input, Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { nameRules } from '../../shared/account-rules.ts'
import { call } from '../../shared/api/call.ts'
import { Failed } from '../../shared/Failed.tsx'
import { screenTree } from '../../shared/screen-tree.ts'
import { TreePicker } from '../../shared/TreePicker.tsx'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useSay } from '../../shared/useSay.tsx'
import { type Options, useOptions } from './api.ts'
import { PasswordFields } from './PasswordFields.tsx'

interface Values {
  username: string
  password: string
  enabled: boolean
  roleIds: number[]
  unvalidModel?: string[]
}

const AdminForm = ({ admin, options, onSaved }: { admin: AdminRow | null; options: Options; onSaved: () => void }) => {
  const { t } = useTranslation(['admins', 'shared'])
  const say = useSay()
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    const { username, enabled, roleIds } = values
    // One's own screens are not offered, and stay as they are.
    const fields = { username, enabled, roleIds, unvalidModel: values.unvalidModel ?? admin?.unvalidModel ?? [] }
    if (admin === null) await call('admin.save', { ...fields, password: values.password })
    else await call('admin.update', { ...fields, id: admin.id })
    say.ok(admin === null ? 'added' : 'edited')
    onSaved()
  })
  const roles = options.roles.map((role) => ({
    value: role.id,
    label: role.superRole ? t('superRole') : role.name,
    disabled: !role.grantable,
  }))
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      onFinish={save}
      initialValues={{
        username: admin?.username ?? '',
        enabled: admin?.enabled ?? true,
        roleIds: admin?.roles.map((r) => r.id) ?? [],
        unvalidModel: admin?.unvalidModel ?? [],
      }}
    >
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item name="username" label={t('username')} rules={nameRules()} extra={t('nameHint')}>
        <Input maxLength={32} autoComplete="off" autoFocus={admin === null} />
      </Form.Item>
      {admin === null ? <PasswordFields name="password" /> : null}
      <Form.Item name="roleIds" label={t('roles')} extra={t('rolesHint')}>
        <Select mode="multiple" options={roles} showSearch={{ optionFilterProp: 'label' }} placeholder={t('noRole')} />
      </Form.Item>
      <Form.Item name="enabled" label={t('enabled')} valuePropName="checked">
        <Switch disabled={admin !== null && (admin.own || admin.superAdmin)} />
      </Form.Item>
      {admin?.own === true ? null : (
        <Form.Item name="unvalidModel" label={t('taken')} extra={t('takenHint')}>
          <TreePicker label={t('taken')} tree={screenTree(options.screens)} />
        </Form.Item>
      )}
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}

const Body = ({ admin, onSaved }: { admin: AdminRow | null; onSaved: () => void }) => {
  const { data, error, refetch } = useOptions()
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  return data === undefined ? <div className="tg-bone" /> : <AdminForm admin={admin} options={data} onSaved={onSaved} />
}

/** `admin` null: a new one. */
export const AdminDrawer = ({
  open,
  admin,
  onClose,
}: {
  open: boolean
  admin: AdminRow | null
  onClose: (saved: boolean) => void
}) => {
  const { t } = useTranslation('admins')
  const title = admin === null ? t('addTitle') : t('editTitle', { name: admin.username })
  return (
    <Drawer open={open} onClose={() => onClose(false)} title={title} size={480} destroyOnHidden>
      {open ? <Body admin={admin} onSaved={() => onClose(true)} /> : null}
    </Drawer>
  )
}
