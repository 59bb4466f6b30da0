/** Adds or edits an entry of the menu. */
import { CONSOLES, type ConsoleId } from '@tidegate/contract/enums'
import { fieldText } from '@tidegate/contract/errors'
import type { CallOf } from '@tidegate/contract/operations/index'
import type { MenuRow } from '@tidegate/contract/operations/menu'
import { Icon, iconNamed, MENU_ICONS } from '@tidegate/ui/Icon.tsx'
import { Alert, Button, Drawer, Form, Input, InputNumber, Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { currentLang } from '../../shared/i18n.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useSay } from '../../shared/useSay.tsx'
import { parentsFor } from './tree.ts'
import { useConsoleNames } from './words.ts'

type Values = CallOf<'menu.save'>
type Meta = Values['meta']

export interface Editing {
  /** null: a new one. */
  entry: MenuRow | null
  parent: MenuRow | null
  console: ConsoleId
}

const valuesOf = ({ entry, parent, console }: Editing): Values => {
  if (entry !== null) {
    const { parentId, url, type, sort, enabled, consoles, permission, meta } = entry
    return { parentId, url, type: type as Values['type'], sort, enabled, consoles, permission, meta: meta as Meta }
  }
  const consoles = parent?.consoles ?? [console]
  const url = parent === null ? '/' : `${parent.url}/`
  const meta = { title: { zh: '', en: '' } }
  return { parentId: parent?.menuId ?? null, url, type: 1, sort: 99, enabled: false, consoles, permission: null, meta }
}

/** What was emptied is left out. */
const cleaned = (meta: Meta): Meta =>
  Object.fromEntries(
    Object.entries(meta).filter(([, value]) => value !== '' && value !== false && value !== null),
  ) as Meta

const IconField = () => {
  const { t } = useTranslation('menus')
  const options = MENU_ICONS.map((value) => ({ value, label: value }))
  return (
    <Form.Item name={['meta', 'icon']} label={t('icon')}>
      <Select<string>
        allowClear
        showSearch
        options={options}
        optionRender={({ value }) => (
          <span className="tg-row">
            <Icon name={iconNamed(String(value))} /> {value}
          </span>
        )}
      />
    </Form.Item>
  )
}

const Place = ({ rows, entry }: { rows: readonly MenuRow[]; entry: MenuRow | null }) => {
  const { t } = useTranslation('menus')
  const names = useConsoleNames()
  const consoles = Form.useWatch<ConsoleId[] | undefined>('consoles') ?? []
  const parents = parentsFor(rows, entry, consoles).map((r) => ({
    value: r.menuId,
    label: `${'　'.repeat(r.level - 1)}${r.meta.title[currentLang()]} ${r.url}`,
  }))
  return (
    <>
      <Form.Item
        name="consoles"
        label={t('consoles')}
        rules={[{ required: true, message: fieldText('required', currentLang()) }]}
      >
        <Select mode="multiple" options={CONSOLES.map((value) => ({ value, label: names[value] }))} />
      </Form.Item>
      <Form.Item name="parentId" label={t('parent')}>
        <Select<number> allowClear placeholder={t('top')} options={parents} />
      </Form.Item>
      <Form.Item name="sort" label={t('sort')}>
        <InputNumber min={0} max={9999} precision={0} />
      </Form.Item>
    </>
  )
}

const MetaFields = () => {
  const { t } = useTranslation('menus')
  const badges = [
    { value: 'task_count', label: t('badgePush') },
    { value: 'wkCount', label: t('badgeOrder') },
  ]
  const flags = ['rewrite', 'force', 'dns-rewrite', 'other-url', 'ai_waf'].map((value) => ({ value, label: value }))
  return (
    <>
      <Form.Item name={['meta', 'badge']} label={t('badge')}>
        <Select<string> allowClear options={badges} />
      </Form.Item>
      <Form.Item name={['meta', 'custom']} label={t('custom')} extra={t('customHint')}>
        <Select<string> allowClear options={flags} />
      </Form.Item>
      <Form.Item name={['meta', 'redirect']} label={t('redirect')} extra={t('redirectHint')}>
        <Input maxLength={200} />
      </Form.Item>
      <Form.Item name={['meta', 'selectMenu']} label={t('selectMenu')} extra={t('selectMenuHint')}>
        <Input maxLength={200} />
      </Form.Item>
      <div className="menu-switches">
        <Form.Item name={['meta', 'hidden']} label={t('hidden')} valuePropName="checked">
          <Switch />
        </Form.Item>
        <Form.Item name={['meta', 'isSub']} label={t('isSub')} valuePropName="checked">
          <Switch />
        </Form.Item>
        <Form.Item name={['meta', 'levelHidden']} label={t('levelHidden')} valuePropName="checked">
          <Switch />
        </Form.Item>
      </div>
    </>
  )
}

const MenuForm = ({ rows, editing, onSaved }: { rows: readonly MenuRow[]; editing: Editing; onSaved: () => void }) => {
  const { t } = useTranslation(['menus', 'shared'])
  const say = useSay()
  const { entry } = editing
  const [form] = Form.useForm<Values>()
  const run = async (values: Values) => {
    const input = {
      ...values,
      parentId: values.parentId ?? null,
      permission: values.permission || null,
      meta: cleaned(values.meta),
    }
    if (entry === null) await call('menu.save', input)
    else await call('menu.update', { ...input, id: entry.menuId })
    say.ok(entry === null ? 'added' : 'edited')
    onSaved()
  }
  const { busy, failed, save } = useFormSave<Values>(form, run, (path) =>
    path.startsWith('meta.') ? path.split('.') : path.split('.')[0],
  )
  const shipped = entry?.shipped === true
  const required = { required: true, whitespace: true, message: fieldText('required', currentLang()) }
  const types = [
    { value: 0, label: t('directory') },
    { value: 1, label: t('screen') },
    { value: 2, label: t('action') },
  ]
  return (
    <Form<Values> form={form} layout="vertical" onFinish={save} initialValues={valuesOf(editing)}>
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      {shipped ? <Alert type="info" className="shell-alert" title={t('shippedText')} /> : null}
      <Form.Item name={['meta', 'title', 'zh']} label={t('nameZh')} rules={[required]}>
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name={['meta', 'title', 'en']} label={t('nameEn')} rules={[required]}>
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="type" label={t('type')}>
        <Select<number> options={types} disabled={shipped} />
      </Form.Item>
      <Form.Item name="url" label={t('path')} rules={[required]}>
        <Input maxLength={200} disabled={shipped} />
      </Form.Item>
      <Form.Item name="permission" label={t('permission')} extra={t('permissionHint')}>
        <Input maxLength={64} disabled={shipped} />
      </Form.Item>
      <Form.Item
        name="enabled"
        label={t('enabled')}
        valuePropName="checked"
        extra={entry !== null && !entry.exists ? t('notBuilt') : undefined}
      >
        <Switch disabled={entry !== null && !entry.exists} />
      </Form.Item>
      <Place rows={rows} entry={entry} />
      <IconField />
      <MetaFields />
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}

export const MenuDrawer = ({
  rows,
  editing,
  onClose,
}: {
  rows: readonly MenuRow[]
  editing: Editing | null
  onClose: (saved: boolean) => void
}) => {
  const { t } = useTranslation('menus')
  const entry = editing?.entry
  return (
    <Drawer
      open={editing !== null}
      onClose={() => onClose(false)}
      title={entry ? t('editTitle', { name: entry.meta.title[currentLang()] }) : t('addTitle')}
      size={480}
      destroyOnHidden
    >
      {editing === null ? null : <MenuForm rows={rows} editing={editing} onSaved={() => onClose(true)} />}
    </Drawer>
  )
}
