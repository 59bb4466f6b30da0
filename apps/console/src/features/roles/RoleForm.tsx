/** Adds or edits a role: name, description, permissions as a tree. */
import { fieldText } from '@tidegate/contract/errors'
import type { RoleRow } from '@tidegate/contract/operations/role'
import { Alert, Button, Drawer, Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { branchesOf } from '../../shared/branches.ts'
import { Failed } from '../../shared/Failed.tsx'
import { currentLang } from '../../shared/i18n.ts'
import { TreePicker } from '../../shared/TreePicker.tsx'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useSay } from '../../shared/useSay.tsx'
import { type PermMenu, useAllPerms } from './api.ts'

interface Values {
  name: string
  description: string
  permissions: string[]
}

const treeOf = (menu: PermMenu) =>
  branchesOf(
    menu,
    (entry) => entry.title[currentLang()],
    (entry) =>
      entry.permissions.map(({ value, name, held }) => ({ key: value, title: name[currentLang()], disabled: !held })),
  )

const RoleForm = ({ role, menu, onSaved }: { role: RoleRow | null; menu: PermMenu; onSaved: () => void }) => {
  const { t } = useTranslation(['roles', 'shared'])
  const say = useSay()
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    if (role === null) await call('role.save', values)
    else await call('role.update', { ...values, id: role.id })
    say.ok(role === null ? 'added' : 'edited')
    onSaved()
  })
  const { name = '', description = '', permissions = [] } = role ?? {}
  return (
    <Form<Values> form={form} layout="vertical" onFinish={save} initialValues={{ name, description, permissions }}>
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item
        name="name"
        label={t('name')}
        rules={[{ required: true, whitespace: true, message: fieldText('required', currentLang()) }]}
      >
        <Input maxLength={64} autoFocus={role === null} />
      </Form.Item>
      <Form.Item name="description" label={t('description')}>
        <Input.TextArea maxLength={255} rows={2} />
      </Form.Item>
      <Form.Item name="permissions" label={t('permissions')} extra={t('permissionsHint')}>
        <TreePicker label={t('permissions')} tree={treeOf(menu)} />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}

const Body = ({ role, onSaved }: { role: RoleRow | null; onSaved: () => void }) => {
  const { data, error, refetch } = useAllPerms()
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  return data === undefined ? <div className="tg-bone" /> : <RoleForm role={role} menu={data} onSaved={onSaved} />
}

/** `role` null: a new one. */
export const RoleDrawer = ({
  open,
  role,
  onClose,
}: {
  open: boolean
  role: RoleRow | null
  onClose: (saved: boolean) => void
}) => {
  const { t } = useTranslation('roles')
  const title = role === null ? t('addTitle') : t('editTitle', { name: role.name })
  return (
    <Drawer open={open} onClose={() => onClose(false)} title={title} size={520} destroyOnHidden>
      {open ? <Body role={role} onSaved={() => onClose(true)} /> : null}
    </Drawer>
  )
}
