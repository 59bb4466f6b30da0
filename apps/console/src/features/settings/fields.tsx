/** Controls of a record's members, each at its dotted path so that errors find it. */
import { SECRET_MASK } from '@tidegate/contract/config/record'
import { Input, InputNumber, Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { Field } from '../../shared/Field.tsx'
import type { RecordForm } from './form.ts'

interface MemberProps {
  form: RecordForm
  path: string
  label: string
  hint?: string | undefined
  required?: boolean
}

const frame = ({ form, path, label, hint, required }: MemberProps) => ({
  label,
  required: required ?? false,
  error: form.errorOf(path),
  ...(hint === undefined ? {} : { hint }),
})

export const TextMember = ({
  lines,
  placeholder,
  ...props
}: MemberProps & { lines?: number | undefined; placeholder?: string }) => {
  const { form, path } = props
  return (
    <Field {...frame(props)}>
      {(control) => {
        const own = {
          ...control,
          value: form.text(path),
          placeholder,
          spellCheck: false,
          disabled: !form.row.editable,
          onBlur: () => form.touch(path),
        }
        return lines === undefined ? (
          <Input {...own} autoComplete="off" onChange={(e) => form.set(path, e.target.value)} />
        ) : (
          <Input.TextArea {...own} rows={lines} onChange={(e) => form.set(path, e.target.value)} />
        )
      }}
    </Field>
  )
}

/** A secret: the mask stands for the one that is stored, and stays until something else is typed. */
export const SecretMember = ({ lines, ...props }: MemberProps & { lines?: number | undefined }) => {
  const { t } = useTranslation('settings')
  const { form, path } = props
  const kept = form.text(path) === SECRET_MASK
  const hint = kept ? t('secretKept') : props.hint
  return (
    <Field {...frame({ ...props, hint })}>
      {(control) => {
        const own = {
          ...control,
          value: form.text(path),
          disabled: !form.row.editable,
          onBlur: () => form.touch(path),
          onFocus: (e: { target: { select: () => void } }) => kept && e.target.select(),
        }
        return lines === undefined || kept ? (
          <Input.Password
            {...own}
            autoComplete="new-password"
            visibilityToggle={!kept}
            onChange={(e) => form.set(path, e.target.value)}
          />
        ) : (
          <Input.TextArea
            {...own}
            spellCheck={false}
            className="tg-mono"
            rows={lines}
            onChange={(e) => form.set(path, e.target.value)}
          />
        )
      }}
    </Field>
  )
}

/** An emptied number goes back to its least. */
export const NumberMember = ({
  min = 1,
  step,
  suffix,
  ...props
}: MemberProps & { min?: number; step?: number; suffix?: string }) => {
  const { form, path } = props
  const value = form.get(path)
  return (
    <Field {...frame(props)}>
      {(control) => (
        <InputNumber<number>
          {...control}
          value={typeof value === 'number' ? value : null}
          step={step ?? 1}
          {...(suffix === undefined ? {} : { suffix })}
          disabled={!form.row.editable}
          className="settings-number"
          onChange={(next) => form.set(path, next ?? min)}
          onBlur={() => form.touch(path)}
        />
      )}
    </Field>
  )
}

/** `on` and `off`: what is stored. */
export const SwitchMember = ({
  on = true,
  off = false,
  ...props
}: MemberProps & { on?: boolean | number; off?: boolean | number }) => {
  const { form, path, label } = props
  return (
    <Field {...frame(props)}>
      {(control) => (
        <Switch
          {...control}
          aria-label={label}
          checked={form.get(path) === on}
          disabled={!form.row.editable}
          onChange={(checked) => form.set(path, checked ? on : off)}
        />
      )}
    </Field>
  )
}

export const SelectMember = ({
  options,
  ...props
}: MemberProps & { options: readonly { value: string; label: string }[] }) => {
  const { form, path, label } = props
  return (
    <Field {...frame(props)}>
      {(control) => (
        <Select<string>
          {...control}
          aria-label={label}
          className="settings-select"
          value={form.text(path)}
          disabled={!form.row.editable}
          options={[...options]}
          onChange={(value) => form.set(path, value)}
        />
      )}
    </Field>
  )
}
