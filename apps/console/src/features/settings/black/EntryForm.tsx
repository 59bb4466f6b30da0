/** Adds domains, or edits one entry. */
import { BLACK_SCOPES, type BlackScope, blackLines } from '@tidegate/contract/black'
import { fieldText } from '@tidegate/contract/errors'
import { fieldErrors } from '@tidegate/contract/issues'
import { MAX_BLACK_LINES } from '@tidegate/contract/limits'
import type { BlackRow } from '@tidegate/contract/operations/black'
import { Alert, App, AutoComplete, Button, Drawer, Form, Input, Radio, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/call.ts'
import { currentLang } from '../../../shared/i18n.ts'
import { useFormSave } from '../../../shared/useFormSave.ts'
import { useScopeWords } from './words.ts'

interface Values {
  domains: string
  scope: BlackScope
  enabled: boolean
  category: string
  remark: string
}

const valuesOf = (entry: BlackRow | null): Values => ({
  domains: entry?.domain ?? '',
  scope: entry?.scope ?? 'tree',
  enabled: entry?.enabled ?? true,
  category: entry?.category ?? '',
  remark: entry?.remark ?? '',
})

/** What the server would say to a text of so many names, all of it at once. */
const saysOf = (text: string, max: number): string[] => {
  const parsed = blackLines(max).safeParse(text, { reportInput: true })
  if (!parsed.success) return fieldErrors(parsed.error, currentLang()).map(({ msg }) => msg)
  return parsed.data.length === 0 ? [fieldText('required', currentLang())] : []
}

export const ScopeField = ({ label }: { label: string }) => {
  const { long } = useScopeWords()
  return (
    <Form.Item name="scope" label={label}>
      <Radio.Group className="black-radios" options={BLACK_SCOPES.map((value) => ({ value, label: long[value] }))} />
    </Form.Item>
  )
}

export const CategoryFields = ({ categories }: { categories: readonly string[] }) => {
  const { t } = useTranslation(['black', 'shared'])
  return (
    <>
      <Form.Item name="category" label={t('category')} extra={t('categoryHint')}>
        <AutoComplete
          maxLength={32}
          options={categories.map((value) => ({ value }))}
          showSearch={{ filterOption: (typed, option) => (option?.value ?? '').includes(typed) }}
        />
      </Form.Item>
      <Form.Item name="remark" label={t('remark', { ns: 'shared' })}>
        <Input maxLength={255} autoComplete="off" />
      </Form.Item>
    </>
  )
}

interface FormProps {
  entry: BlackRow | null
  categories: readonly string[]
  onSaved: () => void
}

const EntryForm = ({ entry, categories, onSaved }: FormProps) => {
  const { t } = useTranslation(['black', 'shared'])
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(form, async (values) => {
    const { count } = await call('black.save', { ...values, ...(entry === null ? {} : { id: entry.id }) })
    message.success(entry === null ? t('added', { count }) : t('edited'))
    onSaved()
  })
  const rule = {
    validator: (_: unknown, text: string) => {
      const says = saysOf(text ?? '', entry === null ? MAX_BLACK_LINES : 1)
      return says.length === 0 ? Promise.resolve() : Promise.reject(says)
    },
  }
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      onFinish={save}
      initialValues={valuesOf(entry)}
      validateTrigger="onBlur"
      requiredMark
    >
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      {entry === null ? (
        <Form.Item name="domains" label={t('domainsLabel')} extra={t('domainsHint')} rules={[rule]} required>
          <Input.TextArea rows={10} className="tg-mono" spellCheck={false} autoFocus />
        </Form.Item>
      ) : (
        <Form.Item name="domains" label={t('domain')} rules={[rule]} required>
          <Input className="tg-mono" spellCheck={false} autoComplete="off" />
        </Form.Item>
      )}
      <ScopeField label={entry === null ? t('lineScope') : t('scope')} />
      <CategoryFields categories={categories} />
      <Form.Item name="enabled" label={t('enabled')} valuePropName="checked">
        <Switch />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}

/** `entry` null: new ones. */
export const EntryDrawer = ({
  open,
  entry,
  categories,
  onClose,
}: {
  open: boolean
  entry: BlackRow | null
  categories: readonly string[]
  onClose: (saved: boolean) => void
}) => {
  const { t } = useTranslation('black')
  return (
    <Drawer
      open={open}
      onClose={() => onClose(false)}
      title={entry === null ? t('addTitle') : t('editTitle')}
      size={560}
      destroyOnHidden
    >
      {open ? <EntryForm entry={entry} categories={categories} onSaved={() => onClose(true)} /> : null}
    </Drawer>
  )
}
