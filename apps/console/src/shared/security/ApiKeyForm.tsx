/** Makes a key or changes one: name, scopes, addresses, end. */
import { fieldText } from '@tidegate/contract/errors'
import type { ApiKeyRow } from '@tidegate/contract/operations/apikey'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { lines } from '@tidegate/contract/validators'
import { Alert, App, Button, DatePicker, Drawer, Form, Input } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useTranslation } from 'react-i18next'
import { call } from '../api/call.ts'
import { currentLang } from '../i18n.ts'
import { TreePicker } from '../TreePicker.tsx'
import { useFormSave } from '../useFormSave.ts'

type Scopes = OutputOf<'apikey.list'>['data']['scopes']

interface Values {
  name: string
  scopes: string[]
  addresses: string
  expire: Dayjs | null
}

interface Props {
  /** null: a new one. */
  row: ApiKeyRow | null
  scopes: Scopes
  /** With the key, if it is a new one. */
  onSaved: (key: string | undefined) => void
}

/** Permissions below the screens that they belong to. */
const treeOf = (scopes: Scopes) => {
  const screens = new Map<string, { key: string; title: string }[]>()
  for (const { value, name, title } of scopes) {
    const screen = title[currentLang()]
    screens.set(screen, [...(screens.get(screen) ?? []), { key: value, title: name[currentLang()] }])
  }
  return [...screens].map(([title, children]) => ({ key: `screen ${title}`, title, children }))
}

const KeyForm = ({ row, scopes, onSaved }: Props) => {
  const { t } = useTranslation(['security', 'shared'])
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(
    form,
    async ({ name, scopes: chosen, addresses, expire }) => {
      const expireTime = expire?.toISOString() ?? null
      const fields = { name, scopes: chosen, allowedIps: lines(addresses), expireTime }
      const { key } = await call('apikey.save', row === null ? fields : { ...fields, id: row.id })
      message.success(t('saved', { ns: 'shared' }))
      onSaved(key)
    },
    (path) =>
      ({ name: 'name', scopes: 'scopes', allowedIps: 'addresses', expireTime: 'expire' })[path.split('.')[0] ?? ''],
  )
  const required = { required: true, message: fieldText('required', currentLang()) }
  return (
    <Form<Values>
      name="apikey"
      form={form}
      layout="vertical"
      onFinish={save}
      initialValues={{
        name: row?.name ?? '',
        scopes: row?.scopes ?? [],
        addresses: row?.allowedIps.join('\n') ?? '',
        expire: row === null || row.expireTime === '' ? null : dayjs(row.expireTime),
      }}
    >
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item name="name" label={t('name', { ns: 'shared' })} rules={[{ ...required, whitespace: true }]}>
        <Input maxLength={40} autoComplete="off" autoFocus={row === null} />
      </Form.Item>
      <Form.Item name="scopes" label={t('keyRights')} extra={t('keyRightsHint')} rules={[required]}>
        <TreePicker label={t('keyRights')} tree={treeOf(scopes)} />
      </Form.Item>
      <Form.Item name="addresses" label={t('addresses')} extra={t('keyAddressesHint')}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} className="tg-mono" spellCheck={false} />
      </Form.Item>
      <Form.Item name="expire" label={t('keyExpire')} extra={t('keyExpireHint')}>
        <DatePicker showTime minDate={dayjs()} />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}

export const ApiKeyDrawer = ({ open, onClose, ...props }: Props & { open: boolean; onClose: () => void }) => {
  const { t } = useTranslation(['security', 'shared'])
  const title = props.row === null ? t('keyAdd') : `${t('edit', { ns: 'shared' })} ${props.row.name}`
  return (
    <Drawer open={open} onClose={onClose} title={title} size={480} destroyOnHidden>
      {open ? <KeyForm {...props} /> : null}
    </Drawer>
  )
}
